#include "agpusim/algorithms/rank_sort/cost.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/indexed_form.hpp"
#include "agpusim/algorithms/rank_sort/program.hpp"
#include "agpusim/algorithms/rank_sort/ranks.hpp"
#include "agpusim/model/cost/bill.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim::rank_sort {
namespace {

/// Instructions that compare a key with an own one and count: with the keys before or after a
/// task's own, a comparison and an addition; among them three more break the tie.
constexpr std::int64_t count_alu = 2;
constexpr std::int64_t tie_alu = 3;

/// Closed forms of the tasks of one run.
class TaskForms {
 public:
  explicit TaskForms(const RunConfig& config)
      : spec_(config.spec),
        layout_(layout(config)),
        words_(element_words(config)),
        count_words_(spec_.words_per_element(4)),
        ranks_(with_element_type(config.type, [&]<class Key>(Key) {
          return ranks(generate<Key>(config.input, config.n, config.seed));
        })) {}

  /// RankGlobal and, without ties, RankUnique: every key is a block for every warp.
  [[nodiscard]] PhaseForm global(const char* name, bool ties) const {
    const std::int64_t n = layout_.n;
    const std::int64_t warps = spec_.warps();
    Bill all(spec_);
    all.global(&Counts::global_read, n * spec_.width, n * warps,
               warps * sum_units_of_ranges(0, words_, n, words_, spec_.block_words),
               warps * sum_units_of_ranges(0, words_, n, words_, spec_.sector_words()));
    all.rounds(n);
    all.alu(count_alu * n);
    return form_of_tasks(spec_, name, layout_.tasks, 0, [&](std::int64_t task) {
      Bill bill(spec_);
      bill.add(all.counts());
      if (ties) bill.alu(tie_alu * own_count(task));
      load_and_store_own(bill, task);
      return bill.counts();
    });
  }

  [[nodiscard]] PhaseForm tiled() const {
    const std::int64_t own = layout_.own;
    const bool sliced = layout_.slices > 1;
    Bill all(spec_);
    load_tiles(all, layout_.slices, 0);
    all.add(round(own), ceil_div(layout_.n, layout_.slices));
    std::int64_t plain_ties = 0;
    for (std::int64_t start = 0; start < layout_.n; start += layout_.tile) {
      plain_ties += tie_rounds(tile_length(start), 0, 0);
    }
    if (sliced) {
      all.alu(3);  // slice, slot, lead
      add_up(all);
    }
    const std::int64_t counts =
        (layout_.slices + ceil_div(layout_.slices, slices_at_a_time)) * layout_.lanes * own;
    const std::int64_t shared = layout_.tile * words_ + (sliced ? counts * count_words_ : 0);
    return form_of_tasks(spec_, "rank_tiled", layout_.tasks, shared, [&](std::int64_t task) {
      Bill bill(spec_);
      bill.add(all.counts());
      load_own(bill, task);
      bill.alu((plain_ties + own_ties(task)) * own * tie_alu);
      for (std::int64_t row = 0; row < own_count(task); row += layout_.lanes) {
        store(bill, first(task) + row,
              std::min<std::int64_t>(layout_.lanes, own_count(task) - row));
      }
      return bill.counts();
    });
  }

  [[nodiscard]] PhaseForm rotated() const {
    const std::int64_t b = spec_.block_words;
    const std::int64_t rounds = ceil_div(layout_.n, b) * b;
    Bill all(spec_);
    all.alu(1);  // lane % b
    load_tiles(all, b, 1);
    all.alu(rounds * (1 + count_alu));  // the place of the key read
    all.shared_rows(&Counts::shared_read, rounds * spec_.width, words_);
    return form_of_tasks(spec_, "rank_rotated", layout_.tasks,
                         std::int64_t{2} * layout_.tile * words_, [&](std::int64_t task) {
                           Bill bill(spec_);
                           bill.add(all.counts());
                           bill.alu(tie_alu * ceil_div(own_count(task), b) * b);
                           load_and_store_own(bill, task);
                           return bill.counts();
                         });
  }

  [[nodiscard]] PhaseForm in_place() const {
    const std::int64_t n = layout_.n;
    const std::int64_t rows = ceil_div(n, spec_.width);
    return form_of_tasks(spec_, "rank_in_place", layout_.tasks, n * words_, [&](std::int64_t) {
      Bill bill(spec_);
      load(bill, 0, n, n, 0);
      bill.alu(rows);  // numbers of the own keys
      bill.shared_rows(&Counts::shared_read, n, words_);
      if (n % spec_.width != 0) bill.alu(1);  // the lanes that have one
      bill.add(round(1), rows * n);
      for (std::int64_t row = 0; row < n; row += spec_.width) {
        const std::int64_t count = std::min<std::int64_t>(spec_.width, n - row);
        bill.alu(tie_rounds(n, row, row + count) * tie_alu);
        store(bill, row, count);
      }
      return bill.counts();
    });
  }

 private:
  [[nodiscard]] std::int64_t first(std::int64_t task) const { return task * layout_.per_task; }
  [[nodiscard]] std::int64_t own_count(std::int64_t task) const {
    return std::min<std::int64_t>(layout_.per_task, layout_.n - first(task));
  }

  [[nodiscard]] std::int64_t tile_length(std::int64_t start) const {
    return std::min<std::int64_t>(layout_.tile, layout_.n - start);
  }

  /// All tiles to shared memory, the last filled up to a multiple of `step`; `more_copies` of each
  /// key, which take a shift and a difference together and an addition each.
  void load_tiles(Bill& bill, std::int64_t step, std::int64_t more_copies) const {
    for (std::int64_t start = 0; start < layout_.n; start += layout_.tile) {
      const std::int64_t length = tile_length(start);
      load(bill, start, length, ceil_div(length, step) * step, more_copies);
    }
  }

  /// Keys start..start+length-1, filled up to `padded` ones.
  void load(Bill& bill, std::int64_t start, std::int64_t length, std::int64_t padded,
            std::int64_t more_copies) const {
    const std::int64_t batch = std::int64_t{tile_rows_in_flight} * spec_.width;
    const std::int64_t guarded = ceil_div(padded - length / batch * batch, spec_.width);
    bill.alu(ceil_div(padded, spec_.width) + 2 * guarded);
    bill.global_rows(&Counts::global_read, length, start * words_, words_);
    bill.rounds(ceil_div(length, batch));
    if (more_copies > 0) bill.alu_rows(2 + more_copies, padded);
    for (std::int64_t copy = 0; copy <= more_copies; ++copy) {
      bill.shared_rows(&Counts::shared_write, padded, words_);
    }
  }

  /// The own keys, to registers: lane number e of every slice reads key number e of a row.
  void load_own(Bill& bill, std::int64_t task) const {
    for (std::int64_t row = 0; row < own_count(task); row += layout_.lanes) {
      const std::int64_t rest = std::min<std::int64_t>(layout_.lanes, own_count(task) - row);
      if (rest < layout_.lanes) bill.alu(1);
      std::vector<std::int32_t> places(static_cast<std::size_t>(spec_.width), no_element);
      for (std::int64_t lane = 0; lane < spec_.width; ++lane) {
        const std::int64_t slot = lane % layout_.lanes;
        if (slot >= rest) continue;
        places[static_cast<std::size_t>(lane)] =
            static_cast<std::int32_t>(first(task) + row + slot);
      }
      IndexedAccess(spec_, words_).global(bill, &Counts::global_read, places);
    }
  }

  /// Both for tasks with one key for each lane.
  void load_and_store_own(Bill& bill, std::int64_t task) const {
    load_own(bill, task);
    store(bill, first(task), own_count(task));
  }

  /// One round of counting for `own` keys of a lane, ties apart.
  [[nodiscard]] Counts round(std::int64_t own) const {
    Bill bill(spec_);
    if (layout_.slices == 1) {
      bill.shared_broadcast(&Counts::shared_read, words_);
    } else {
      bill.alu(1);  // the place of the key read
      read_slices(bill);
    }
    bill.alu(own * count_alu);
    return bill.counts();
  }

  /// Rounds of a tile of `length` keys that break ties: the first ones that do not fill a batch,
  /// and the batches that meet the task's own keys, those from own_begin to own_end.
  [[nodiscard]] std::int64_t tie_rounds(std::int64_t length, std::int64_t own_begin,
                                        std::int64_t own_end) const {
    const std::int64_t batch = rounds_in_flight(layout_.own);
    const std::int64_t rounds = ceil_div(length, layout_.slices);
    const std::int64_t rest = rounds % batch;
    const std::int64_t size = batch * layout_.slices;  // keys of a batch
    const std::int64_t begin = std::max<std::int64_t>(0, own_begin - rest * layout_.slices) / size;
    const std::int64_t end = std::min(
        rounds / batch, ceil_div(std::max<std::int64_t>(0, own_end - rest * layout_.slices), size));
    return rest + std::max<std::int64_t>(0, end - begin) * batch;
  }

  /// What a task's own keys add to the rounds that break ties.
  [[nodiscard]] std::int64_t own_ties(std::int64_t task) const {
    const std::int64_t begin = first(task);
    const std::int64_t end = begin + own_count(task);
    std::int64_t rounds = 0;
    for (std::int64_t start = begin / layout_.tile * layout_.tile; start < end;
         start += layout_.tile) {
      const std::int64_t length = tile_length(start);
      rounds += tie_rounds(length, begin - start, end - start) - tie_rounds(length, 0, 0);
    }
    return rounds;
  }

  /// One read of neighbouring words, the same word by the P lanes of a slice.
  void read_slices(Bill& bill) const {
    std::vector<std::int32_t> slices(static_cast<std::size_t>(spec_.width));
    for (std::size_t lane = 0; lane < slices.size(); ++lane) {
      slices[lane] = static_cast<std::int32_t>(static_cast<std::int64_t>(lane) / layout_.lanes);
    }
    IndexedAccess(spec_, words_).shared(bill, &Counts::shared_read, slices, 0);
  }

  /// Slicing::add_up.
  void add_up(Bill& bill) const {
    const std::int64_t own = layout_.own;
    for (std::int64_t left = layout_.slices; left > 1;) {
      const std::int64_t lanes = left * layout_.lanes;
      if (left < layout_.slices) bill.alu(1);  // the lanes that have a sum
      bill.alu_prefix(own, lanes);
      for (std::int64_t i = 0; i < own; ++i) {
        bill.shared_run(&Counts::shared_write, 0, lanes, count_words_);
      }
      const std::int64_t sums = ceil_div(left, slices_at_a_time);
      bill.alu(1);  // the lanes that add
      for (std::int64_t done = sums; done < left; done += sums) {
        const std::int64_t there = std::min(sums, left - done);
        if (there < sums) bill.alu_prefix(1, sums * layout_.lanes);
        bill.alu_prefix(2 * own, there * layout_.lanes);
        for (std::int64_t i = 0; i < own; ++i) {
          bill.shared_run(&Counts::shared_read, 0, there * layout_.lanes, count_words_);
        }
      }
      left = sums;
    }
  }

  /// The keys first..first+count-1, at most one for each lane, go to their places.
  void store(Bill& bill, std::int64_t first, std::int64_t count) const {
    if (count < spec_.width) bill.alu(1);  // the lanes that have one
    IndexedAccess(spec_, words_)
        .global(bill, &Counts::global_write,
                std::span(ranks_).subspan(static_cast<std::size_t>(first),
                                          static_cast<std::size_t>(count)));
  }

  AgpuSpec spec_;
  Layout layout_;
  std::int64_t words_;
  std::int64_t count_words_;
  std::vector<std::int32_t> ranks_;
};

}  // namespace

std::vector<PhaseForm> forms(const RunConfig& config) {
  if (config.n == 0) return {};
  const TaskForms forms(config);
  if (config.variant == "global") return {forms.global(RankGlobal::name, true)};
  if (config.variant == "unique_keys") return {forms.global(RankUnique::name, false)};
  if (config.variant == "rotated") return {forms.rotated()};
  if (config.variant == "in_place") return {forms.in_place()};
  return {forms.tiled()};
}

}  // namespace agpusim::rank_sort
