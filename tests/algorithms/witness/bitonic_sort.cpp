#include <algorithm>

#include "agpusim/algorithms/bitonic_sort/program.hpp"
#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/model/cost/bill.hpp"
#include "agpusim/model/cost/units.hpp"
#include "agpusim/tests/algorithms/witness/witness.hpp"

namespace agpusim::test {
namespace {

using namespace bitonic_sort;

/// Closed forms of the phases of one run.
class Forms {
 public:
  explicit Forms(const RunConfig& config)
      : spec_(config.spec),
        n_(config.n),
        tile_(config.parameters.at("tile")),
        per_task_(std::min(config.parameters.at("rows") * config.spec.width, tile_)),
        words_(element_words(config)) {}

  /// The tile phase whose stages `stages` charges for a tile of `length` keys.
  template <class Stages>
  PhaseForm tile_phase(const char* name, Stages stages) const {
    const std::int64_t tiles = ceil_div(n_, tile_);
    const auto cost = [&](std::int64_t length) {
      Bill bill(spec_);
      for (GlobalCounts Counts::*kind : {&Counts::global_read, &Counts::global_write}) {
        bill.loop_rows(length);
        bill.global_rows(kind, length, 0, words_);
      }
      bill.rounds_of_rows(length);
      bill.shared_rows(&Counts::shared_write, length, words_);
      bill.shared_rows(&Counts::shared_read, length, words_);
      stages(bill, length);
      return bill.counts();
    };
    return form_of_equal_tasks(spec_, name, tiles, cost(std::min(tile_, n_)),
                               cost(n_ - (tiles - 1) * tile_), tile_ * words_);
  }

  PhaseForm tile_sort() const {
    return tile_phase(TileSort<std::uint32_t>::name, [&](Bill& bill, std::int64_t length) {
      for (std::int64_t size = 2; size < 2 * length; size *= 2) {
        tile_stage(bill, length, size / 2, true);
        for (std::int64_t half = size / 4; half > 0; half /= 2)
          tile_stage(bill, length, half, false);
      }
    });
  }

  PhaseForm tile_merge() const {
    return tile_phase(TileMerge<std::uint32_t>::name, [&](Bill& bill, std::int64_t length) {
      for (std::int64_t half = tile_ / 2; half > 0; half /= 2)
        tile_stage(bill, length, half, false);
    });
  }

  PhaseForm global_stage(std::int64_t half, bool flip) const {
    const std::int64_t count = comparators(n_, half);
    const std::int64_t tasks = ceil_div(count, per_task_);
    const auto cost = [&](std::int64_t comparators_of_task) {
      Bill bill(spec_);
      bill.loop_rows(comparators_of_task);
      bill.rounds_of_rows(comparators_of_task);
      bill.alu_rows(2, comparators_of_task);            // min, max
      if (flip) bill.alu_rows(2, comparators_of_task);  // 0 - i, to read and to write
      for (GlobalCounts Counts::*kind : {&Counts::global_read, &Counts::global_write}) {
        bill.global_rows(kind, comparators_of_task, 0, words_);
        bill.global_rows(kind, comparators_of_task, 0, words_);
      }
      return bill.counts();
    };
    return form_of_equal_tasks(spec_, GlobalStage::name, tasks, cost(std::min(per_task_, count)),
                               cost(count - (tasks - 1) * per_task_), 0);
  }

 private:
  /// One compare-exchange stage in shared memory: two reads and two writes per comparator.
  void tile_stage(Bill& bill, std::int64_t length, std::int64_t half, bool flip) const {
    const std::int64_t count = comparators(length, half);
    bill.loop_rows(count);
    bill.alu_rows((flip ? 5 : 4) + 2, count);  // positions; min, max
    const std::int64_t b = spec_.block_words;
    for (SharedCounts Counts::*kind : {&Counts::shared_read, &Counts::shared_write}) {
      const auto row = [&](std::int64_t lanes, std::int64_t requests) {
        bill.shared(kind, lanes * requests, requests, wavefronts(bill, lanes, half),
                    bill.contiguous_wavefronts(lanes, words_));
      };
      row(b, 2 * (count / b));
      if (count % b != 0) row(count % b, 2);
    }
    bill.idle(4 * ceil_div(count, spec_.width), 4 * ceil_div(count, b));
  }

  /// Time of one side of `active` comparators of a warp (theory L2): a pass of L lanes reaches L
  /// neighbouring keys when half >= L, else every other run of `half` keys out of 2L, where lanes i
  /// and i + L/2 share a bank.
  std::int64_t wavefronts(const Bill& bill, std::int64_t active, std::int64_t half) const {
    const std::int64_t lanes = bill.lanes_per_pass(words_);
    const auto pass = [&](std::int64_t count) {
      const std::int64_t once = ceil_div(count * words_, spec_.block_words);
      return half < lanes && count > lanes / 2 ? 2 * once : once;
    };
    return active / lanes * pass(lanes) + (active % lanes != 0 ? pass(active % lanes) : 0);
  }

  AgpuSpec spec_;
  std::int64_t n_;
  std::int64_t tile_;
  std::int64_t per_task_;
  std::int64_t words_;
};

}  // namespace

std::vector<PhaseForm> bitonic_sort_witness(const RunConfig& config) {
  const Forms forms(config);
  const std::int64_t tile = config.parameters.at("tile");
  std::vector<PhaseForm> phases = {forms.tile_sort()};
  for (std::int64_t half = tile; half < config.n; half *= 2) {
    phases.push_back(forms.global_stage(half, true));
    for (std::int64_t stride = half / 2; stride >= tile; stride /= 2) {
      phases.push_back(forms.global_stage(stride, false));
    }
    phases.push_back(forms.tile_merge());
  }
  return phases;
}

}  // namespace agpusim::test
