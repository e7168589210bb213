#include "agpusim/algorithms/reduce/task_cost.hpp"

#include <algorithm>
#include <vector>

#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/indexed_form.hpp"
#include "agpusim/algorithms/common/segment_form.hpp"
#include "agpusim/algorithms/reduce/kernel.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim::reduce {

const char* TaskCost::kernel() const {
  return per_lane_ > 0 ? "ordered_segment_reduce" : "segment_reduce";
}

PhaseForm TaskCost::phase(const Cut& cut, std::optional<std::int64_t> device_length) const {
  const SegmentsOnDevice segments(spec_, cut, device_length);
  return form_of_tasks(spec_, kernel(), segments.tasks(), shared_words(), [&](std::int64_t task) {
    Bill bill(spec_);
    segments.charge_cut(bill);
    bill.add((*this)(segments.length(task), segments.first(task), task));
    return bill.counts();
  });
}

Counts TaskCost::operator()(std::int64_t length, std::int64_t first, std::int64_t task) const {
  Bill bill(spec_);
  if (per_lane_ > 0) {
    ordered(bill, length, first);
  } else {
    commutative(bill, length, first);
  }
  bill.alu(1);  // lane == 0
  const std::int64_t at = task * words_;
  bill.global(&Counts::global_write, 1, 1, units_of_range(at, words_, spec_.block_words),
              units_of_range(at, words_, spec_.sector_words()));
  bill.idle(1, 1);
  return bill.counts();
}

TaskCost::TaskCost(const AgpuSpec& spec, std::int64_t words, std::int64_t operator_alu,
                   std::int64_t per_lane)
    : spec_(spec), words_(words), operator_alu_(operator_alu), per_lane_(per_lane) {
  Bill bill(spec_);
  if (per_lane_ > 0) {
    ordered_tree(bill);
  } else {
    commutative_tree(bill);
  }
  tree_ = bill.counts();
}

void TaskCost::commutative(Bill& bill, std::int64_t length, std::int64_t first) const {
  bill.loop_rows(length);
  bill.global_rows(&Counts::global_read, length, first * words_, words_);
  bill.alu_rows(operator_alu_, length);
  bill.rounds_of_rows(length, segment_rows_in_flight);
  bill.add(tree_);
}

void TaskCost::commutative_tree(Bill& bill) const {
  bill.shared_rows(&Counts::shared_write, spec_.width, words_);
  for (std::int64_t count = spec_.width; count > 1; count = (count + 1) / 2) {
    const std::int64_t active = count - (count + 1) / 2;
    bill.alu(1);  // lane < active
    bill.alu_prefix(1 + operator_alu_, active);
    tree_access(bill, active, 1);
  }
}

void TaskCost::ordered(Bill& bill, std::int64_t length, std::int64_t first) const {
  const std::int64_t tile = per_lane_ * spec_.width;
  for (std::int64_t start = 0; start < length; start += tile) {
    const std::int64_t count = std::min(tile, length - start);
    bill.loop_rows(count);
    bill.global_rows(&Counts::global_read, count, (first + start) * words_, words_);
    bill.rounds_of_rows(count);
    bill.shared_rows(&Counts::shared_write, count, words_);
    fold(bill, count);
    bill.add(tree_);
  }
}

void TaskCost::ordered_tree(Bill& bill) const {
  bill.shared_rows(&Counts::shared_write, spec_.width, words_);
  for (std::int64_t distance = 1; distance < spec_.width; distance *= 2) {
    bill.alu(4);  // lane & mask, == 0, lane < V - distance, &&
    const std::int64_t active = ceil_div(spec_.width - distance, 2 * distance);
    bill.alu(1 + operator_alu_, active, warps_of_multiples(active, 2 * distance));
    tree_access(bill, active, 2 * distance);
  }
  bill.alu(1);  // lane == 0
  bill.alu_prefix(operator_alu_, 1);
}

/// Every lane folds its `per_lane` neighbours out of the `count` elements of a tile.
void TaskCost::fold(Bill& bill, std::int64_t count) const {
  bill.alu(1 + 2 * per_lane_);  // lane·c; then i and i < count for each j
  for (std::int64_t j = 0; j < per_lane_; ++j) {
    const std::int64_t active = count > j ? ceil_div(count - j, per_lane_) : 0;
    bill.alu_prefix(operator_alu_, active);
    bill.shared_strided(&Counts::shared_read, per_lane_, active, words_);
  }
}

/// Warps that hold one of the lanes 0, step, 2·step, ... (`active` of them).
std::int64_t TaskCost::warps_of_multiples(std::int64_t active, std::int64_t step) const {
  return step >= spec_.block_words ? active : (active - 1) * step / spec_.block_words + 1;
}

/// A read and a write of the tree array by the lanes 0, step, 2·step, ...: each its own element, or
/// one at a distance that all have.
void TaskCost::tree_access(Bill& bill, std::int64_t active, std::int64_t step) const {
  std::vector<std::int32_t> places(static_cast<std::size_t>(spec_.width), no_element);
  for (std::int64_t i = 0; i < active; ++i) {
    places[static_cast<std::size_t>(i * step)] = static_cast<std::int32_t>(i * step);
  }
  const IndexedAccess tree(spec_, words_);
  tree.shared(bill, &Counts::shared_read, places, 0);
  tree.shared(bill, &Counts::shared_write, places, 0);
}

}  // namespace agpusim::reduce
