#include "agpusim/algorithms/statistics/minmax_tournament/forms.hpp"

#include <algorithm>
#include <numeric>

#include "agpusim/algorithms/common/form.hpp"

namespace agpusim::tournament {

PhaseForm RoundForms::phase(const char* kernel, std::int64_t elements, const Charge& charge) const {
  const auto counts = [&](std::int64_t first, std::int64_t count) {
    Bill bill(spec_);
    charge(bill, first, count);
    return bill.counts();
  };
  const std::int64_t per_task = rounds_.per_task;
  const std::int64_t tasks = rounds_.tasks(elements);
  const std::int64_t last = (tasks - 1) * per_task;
  PhaseForm form = form_of_equal_tasks(spec_, kernel, tasks, counts(0, per_task),
                                       counts(last, elements - last), 0);
  // Tasks begin at the same place of a block, but not of a sector: those of the whole array.
  const Counts whole = counts(0, elements);
  form.counts.global_read.sectors = whole.global_read.sectors;
  form.counts.global_write.sectors = whole.global_write.sectors;
  return form;
}

PhaseForm RoundForms::copy() const { return elementwise("copy", 0); }

PhaseForm RoundForms::elementwise(const char* kernel, std::int64_t alu) const {
  return phase(kernel, rounds_.padded,
               [this, alu](Bill& bill, std::int64_t first, std::int64_t count) {
                 bill.loop_rows(count);
                 bill.rounds_of_rows(count);
                 bill.alu_rows(alu, count);
                 bill.global_rows(&Counts::global_read, count, first * words_, words_);
                 bill.global_rows(&Counts::global_write, count, first * words_, words_);
               });
}

PhaseForm RoundForms::pairs(const char* kernel, std::int64_t alu) const {
  return phase(kernel, rounds_.pairs(),
               [this, alu](Bill& bill, std::int64_t first, std::int64_t count) {
                 read_pairs(bill, first, count);
                 bill.alu_rows(alu, count);
                 for (const std::int64_t half : {std::int64_t{0}, rounds_.pairs()}) {
                   bill.global_rows(&Counts::global_write, count, (half + first) * words_, words_);
                 }
               });
}

PhaseForm RoundForms::compare(std::span<const std::uint8_t> greater) const {
  return form_of_tasks(spec_, "compare", rounds_.tasks(rounds_.pairs()), 0, [&](std::int64_t task) {
    const std::int64_t first = task * rounds_.per_task;
    const auto count = std::min<std::int64_t>(rounds_.per_task, rounds_.pairs() - first);
    Bill bill(spec_);
    read_pairs(bill, first, count);
    bill.alu_rows(1, count);  // v1 > v2
    const auto sides =
        greater.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
    for (const std::int64_t half : {std::int64_t{0}, rounds_.pairs()}) {
      write_sides(bill, half + first, sides);
    }
    return bill.counts();
  });
}

/// The writes of elements first, first+1, ... by lanes of two sides, one side after the other.
void RoundForms::write_sides(Bill& bill, std::int64_t first,
                             std::span<const std::uint8_t> sides) const {
  const auto b = static_cast<std::size_t>(spec_.block_words);
  std::array<std::int64_t, 2> warps{};
  for (std::size_t begin = 0; begin < sides.size(); begin += b) {
    const auto warp = sides.subspan(begin, std::min(b, sides.size() - begin));
    const std::int64_t start = (first + static_cast<std::int64_t>(begin)) * words_;
    const auto blocks = units_of_sides(warp, start, spec_.block_words);
    const auto sectors = units_of_sides(warp, start, spec_.sector_words());
    const std::int64_t zeros = std::count(warp.begin(), warp.end(), std::uint8_t{0});
    const std::array active = {zeros, static_cast<std::int64_t>(warp.size()) - zeros};
    for (std::size_t side = 0; side < 2; ++side) {
      if (active[side] == 0) continue;
      bill.global(&Counts::global_write, active[side], 1, blocks[side], sectors[side]);
      ++warps[side];
    }
  }
  const std::int64_t rows = ceil_div(static_cast<std::int64_t>(sides.size()), spec_.width);
  for (const std::int64_t active_warps : warps) bill.idle(rows, active_warps);
}

/// Units that each side touches when lane i of a warp writes the element i after word `start`.
std::array<std::int64_t, 2> RoundForms::units_of_sides(std::span<const std::uint8_t> sides,
                                                       std::int64_t start,
                                                       std::int64_t unit) const {
  std::array<std::int64_t, 2> count{};
  const std::int64_t end = start + static_cast<std::int64_t>(sides.size()) * words_;
  for (std::int64_t word = start; word < end;) {
    const std::int64_t next = std::min(end, (word / unit + 1) * unit);
    const auto first = sides.begin() + (word - start) / words_;
    const auto last = sides.begin() + (next - 1 - start) / words_ + 1;
    const std::int64_t zeros = std::count(first, last, std::uint8_t{0});
    count[0] += zeros > 0 ? 1 : 0;
    count[1] += zeros < last - first ? 1 : 0;
    word = next;
  }
  return count;
}

/// The two reads of the pairs first..first+count-1, by stream_lanes.
void RoundForms::read_pairs(Bill& bill, std::int64_t first, std::int64_t count) const {
  bill.loop_rows(count);
  bill.rounds_of_rows(count);
  bill.alu_rows(1, count);  // 2i
  const std::int64_t warps = ceil_div(count, spec_.block_words);
  for (const std::int64_t odd : {1, 0}) {
    bill.global(&Counts::global_read, count, warps,
                units_of_neighbours(first, count, odd, spec_.block_words),
                units_of_neighbours(first, count, odd, spec_.sector_words()));
    bill.idle(ceil_div(count, spec_.width), warps);
  }
}

/// Units that warps touch when lane i reads element 2i + `odd`, for the pairs
/// first..first+count-1.
std::int64_t RoundForms::units_of_neighbours(std::int64_t first, std::int64_t count,
                                             std::int64_t odd, std::int64_t unit) const {
  const auto warp = [&](std::int64_t pair, std::int64_t lanes) {
    const std::int64_t start = (2 * pair + odd) * words_ % unit;
    return units_of_progression(start, 2 * words_, lanes, words_, unit);
  };
  const std::int64_t b = spec_.block_words;
  const std::int64_t full = count / b;
  // The warps' starts repeat themselves modulo the unit.
  const std::int64_t period = unit / std::gcd(2 * b * words_, unit);
  std::int64_t sum = warp(first + full * b, count % b);
  for (std::int64_t g = 0; g < std::min(period, full); ++g) {
    sum += ceil_div(full - g, period) * warp(first + g * b, b);
  }
  return sum;
}

}  // namespace agpusim::tournament
