#include "agpusim/algorithms/scan/task_cost.hpp"

#include <algorithm>

#include "agpusim/algorithms/form.hpp"
#include "agpusim/algorithms/reduce/task_cost.hpp"
#include "agpusim/algorithms/scan/kernel.hpp"
#include "agpusim/algorithms/segment_form.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim::scan {

ScanCost::ScanCost(const AgpuSpec& spec, std::int64_t words, std::int64_t operator_alu,
                   bool commutative, std::int64_t per_lane)
    : spec_(spec),
      words_(words),
      operator_alu_(operator_alu),
      commutative_(commutative),
      per_lane_(per_lane) {
  Bill bill(spec_);
  lanes(bill);
  lanes_ = bill.counts();
}

void ScanCost::append(std::vector<PhaseForm>& forms, const Cut& cut,
                      std::optional<std::int64_t> device_length) const {
  if (cut.host().n == 0) return;
  const std::int64_t shared_words = spec_.width * words_ * (per_lane_ + 2);
  const SegmentsOnDevice segments(spec_, cut, device_length);
  forms.push_back(reduce::TaskCost(spec_, words_, operator_alu_, commutative_ ? 0 : per_lane_)
                      .phase(cut, device_length));
  forms.push_back(form_of_tasks(spec_, "scan_partials", 1, shared_words, [&](std::int64_t) {
    Bill bill(spec_);
    segment(bill, segments.tasks(), 0);
    return bill.counts();
  }));
  forms.push_back(
      form_of_tasks(spec_, "scan_segments", segments.tasks(), shared_words, [&](std::int64_t task) {
        Bill bill(spec_);
        segments.charge_cut(bill);
        if (segments.length(task) == 0) return bill.counts();
        bill.global_broadcast(task * words_, words_);
        segment(bill, segments.length(task), segments.first(task));
        return bill.counts();
      }));
}

void ScanCost::segment(Bill& bill, std::int64_t length, std::int64_t first) const {
  bill.alu(1);  // lane·c
  const std::int64_t tile_size = spec_.width * per_lane_;
  for (std::int64_t start = 0; start < length; start += tile_size) {
    tile(bill, std::min(tile_size, length - start), first + start);
  }
}

void ScanCost::tile(Bill& bill, std::int64_t count, std::int64_t first) const {
  bill.loop_rows(count);
  bill.global_rows(&Counts::global_read, count, first * words_, words_);
  bill.rounds_of_rows(count, tile_rows_in_flight);
  bill.shared_rows(&Counts::shared_write, count, words_);
  neighbours(bill, count, false);
  bill.add(lanes_);
  bill.alu(1);  // lane >= 1
  bill.alu_run(1 + operator_alu_, 1, spec_.width - 1);
  bill.shared_run(&Counts::shared_read, 1, spec_.width - 1, words_);
  bill.shared_broadcast(&Counts::shared_read, words_);
  bill.alu(operator_alu_);
  neighbours(bill, count, true);
  bill.loop_rows(count);
  bill.shared_rows(&Counts::shared_read, count, words_);
  bill.global_rows(&Counts::global_write, count, first * words_, words_);
}

/// Kogge and Stone's scan of one value per lane.
void ScanCost::lanes(Bill& bill) const {
  bill.shared_run(&Counts::shared_write, 0, spec_.width, words_);
  for (std::int64_t distance = 1; distance < spec_.width; distance *= 2) {
    const std::int64_t active = spec_.width - distance;
    bill.alu(2);  // lane >= distance; where the value goes
    bill.alu_run(1 + operator_alu_, distance, active);
    bill.shared_run(&Counts::shared_read, distance, active, words_);
    bill.shared_run(&Counts::shared_write, 0, spec_.width, words_);
  }
}

/// Every lane's pass over its c neighbours of the `count` elements of a tile.
void ScanCost::neighbours(Bill& bill, std::int64_t count, bool rewrite) const {
  const bool whole = count == per_lane_ * spec_.width;
  bill.alu((whole ? 1 : 2) * per_lane_);  // i, and i < count, for each j
  for (std::int64_t j = 0; j < per_lane_; ++j) {
    const std::int64_t active = count > j ? ceil_div(count - j, per_lane_) : 0;
    bill.alu_prefix(operator_alu_, active);
    bill.shared_strided(&Counts::shared_read, per_lane_, active, words_);
    if (rewrite) bill.shared_strided(&Counts::shared_write, per_lane_, active, words_);
  }
}

}  // namespace agpusim::scan
