#include "agpusim/algorithms/fused_bitonic_sort/pass_cost.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/indexed_form.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim::fused_bitonic_sort {

PassCost::PassCost(const AgpuSpec& spec, const TileCost& task, std::int32_t task_bits,
                   std::int64_t words, std::int64_t n, std::int32_t high, std::int32_t strides,
                   bool flip)
    : spec_(spec),
      task_(task),
      task_bits_(task_bits),
      words_(words),
      n_(n),
      high_(high),
      strides_(strides),
      flip_(flip) {}

/// Of key i of a task: rows of size() keys.
std::int64_t PassCost::place(const Window& window, std::int64_t i) const {
  const std::int64_t number = i / size();
  const bool mirrored = flip_ && 2 * i >= std::int64_t{1} << task_bits_;
  return number * row() + (mirrored ? row() - size() - window.begin : window.begin) + i % size();
}

/// Keys of a task before n, which is before the block's end.
std::int64_t PassCost::keys(const Window& window) const {
  const std::int64_t before = window.rest / row() * size();  // in rows that lie before n
  return before + std::clamp<std::int64_t>(window.rest - place(window, before), 0, size());
}

/// An access of V groups for every register, whose bits are those from p on of the keys' numbers;
/// returns whether one is issued. In the mirrored layout the upper half of the registers belongs to
/// the group of inverted bits.
bool PassCost::access(Bill& bill, GlobalCounts Counts::*kind, const Window& window, std::int32_t p,
                      std::int64_t turn, bool mirrored) const {
  const std::int64_t registers = std::int64_t{1} << task_.q();
  const std::int64_t low = (std::int64_t{1} << p) - 1;
  const bool all = place(window, (std::int64_t{1} << task_bits_) - 1) < window.rest;
  const IndexedAccess global(spec_, words_);
  std::vector<std::int32_t> places(static_cast<std::size_t>(spec_.width));
  bool issued = false;
  for (std::int64_t j = 0; j < registers; ++j) {
    if (place(window, j << p) >= window.rest) continue;
    if (!all) bill.alu(1);  // the lanes that have a key
    bool active = false;
    for (std::size_t lane = 0; lane < places.size(); ++lane) {
      std::int64_t group = turn * spec_.width + static_cast<std::int64_t>(lane);
      if (mirrored && 2 * j >= registers) group ^= low;
      const std::int64_t at = place(window, (group & ~low) * registers + (j << p) + (group & low));
      places[lane] = at < window.rest ? static_cast<std::int32_t>(at) : no_element;
      active = active || at < window.rest;
    }
    global.global(bill, kind, places);
    issued = issued || active || !spec_.skip_empty;
  }
  return issued;
}

Counts PassCost::register_pass(const Window& window) const {
  Bill bill(spec_);
  if (flip_) bill.alu(1);  // the mirrored place
  const std::int32_t top = task_.top();
  bill.rounds(access(bill, &Counts::global_read, window, top, 0, flip_) ? 1 : 0);
  task_.strides(bill, strides_);
  access(bill, &Counts::global_write, window, top, 0, flip_);
  return bill.counts();
}

Counts PassCost::tile_pass(const Window& window) const {
  Bill bill(spec_);
  const std::int32_t q = task_.q();
  const std::int32_t top = task_.top();
  for (std::int64_t turn = 0; turn < task_.turns(); ++turn) {
    bill.alu(1 + 4);         // the group and its place
    if (flip_) bill.alu(1);  // the mirrored place
    bill.rounds(access(bill, &Counts::global_read, window, top, turn, flip_) ? 1 : 0);
    task_.strides(bill, q);
    task_.access(bill, &Counts::shared_write, top);
  }
  std::int32_t left = strides_ - q;
  for (std::int32_t p = top - q; left > q; p -= q, left -= q) task_.sweep(bill, p, q);
  const std::int32_t last = task_bits_ - strides_;
  for (std::int64_t turn = 0; turn < task_.turns(); ++turn) {
    bill.alu(1);  // the group
    task_.access(bill, &Counts::shared_read, last);
    task_.strides(bill, left);
    bill.alu(4 + (flip_ ? 3 : 0));  // the place
    access(bill, &Counts::global_write, window, last, turn, false);
  }
  return bill.counts();
}

PhaseForm PassCost::form() const {
  const char* const name = in_registers() ? "register_pass" : "tile_pass";
  const auto cost = [&](const Window& window) {
    return in_registers() ? register_pass(window) : tile_pass(window);
  };
  const std::int64_t shared = in_registers() ? 0 : words_ << task_bits_;
  const std::int64_t whole = n_ >> high_;
  const std::int64_t rest = n_ - (whole << high_);
  const Counts full = cost({0, std::int64_t{1} << high_});
  if (rest == 0) {
    return form_of_equal_tasks(spec_, name, whole * windows(), full, full, shared);
  }
  // Tasks with equally many keys have equal rows but for the last.
  std::map<std::int64_t, Counts> costs;
  const std::int64_t tasks = whole * windows() + ceil_div(std::min(rest, row()), size());
  return form_of_tasks(spec_, name, tasks, shared, [&](std::int64_t task) {
    if (task < whole * windows()) return full;
    const Window window{(task - whole * windows()) * size(), rest};
    const auto [it, inserted] = costs.try_emplace(keys(window));
    if (inserted) it->second = cost(window);
    return it->second;
  });
}

}  // namespace agpusim::fused_bitonic_sort
