#include "agpusim/algorithms/scan/task_cost.hpp"

#include <algorithm>
#include <utility>

#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/segment_form.hpp"
#include "agpusim/algorithms/reduce/task_cost.hpp"
#include "agpusim/algorithms/scan/methods.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim::scan {

ScanCost::ScanCost(const AgpuSpec& spec, std::int64_t words, std::int64_t operator_alu,
                   bool commutative, std::int64_t per_lane)
    : spec_(spec),
      words_(words),
      operator_alu_(operator_alu),
      ordered_per_lane_(commutative ? 0 : per_lane),
      partials_(lane_serial_cost(spec, words, operator_alu, per_lane)),
      segments_(partials_) {}

ScanCost::ScanCost(const AgpuSpec& spec, std::int64_t words, std::int64_t operator_alu,
                   MethodCost partials, MethodCost segments)
    : spec_(spec),
      words_(words),
      operator_alu_(operator_alu),
      ordered_per_lane_(0),
      partials_(std::move(partials)),
      segments_(std::move(segments)) {}

void ScanCost::append(std::vector<PhaseForm>& forms, const Cut& cut,
                      std::optional<std::int64_t> device_length) const {
  if (cut.host().n == 0) return;
  const SegmentsOnDevice segments(spec_, cut, device_length);
  forms.push_back(
      reduce::TaskCost(spec_, words_, operator_alu_, ordered_per_lane_).phase(cut, device_length));
  forms.push_back(scan_partials(segments.tasks()));
  forms.push_back(form_of_tasks(
      spec_, "scan_segments", segments.tasks(), segments_.shared_words, [&](std::int64_t task) {
        Bill bill(spec_);
        segments.charge_cut(bill);
        if (segments.length(task) == 0) return bill.counts();
        bill.global_broadcast(task * words_, words_);
        segment(bill, segments_, segments.length(task), segments.first(task));
        return bill.counts();
      }));
}

void ScanCost::append_then_add(std::vector<PhaseForm>& forms, const Cut& cut) const {
  if (cut.host().n == 0) return;
  const Segments& segments = cut.host();
  forms.push_back(form_of_tasks(
      spec_, "scan_alone", segments.tasks, segments_.shared_words, [&](std::int64_t task) {
        Bill bill(spec_);
        segment(bill, segments_, segments.length(task), segments.first(task));
        bill.alu(1);  // lane == 0
        const std::int64_t at = task * words_;
        bill.global(&Counts::global_write, 1, 1, units_of_range(at, words_, spec_.block_words),
                    units_of_range(at, words_, spec_.sector_words()));
        bill.idle(1, 1);
        return bill.counts();
      }));
  forms.push_back(scan_partials(segments.tasks));
  forms.push_back(form_of_tasks(spec_, "add_before", segments.tasks, 0, [&](std::int64_t task) {
    Bill bill(spec_);
    const std::int64_t length = segments.length(task);
    bill.global_broadcast(task * words_, words_);
    bill.loop_rows(length);
    for (const auto kind : {&Counts::global_read, &Counts::global_write}) {
      bill.global_rows(kind, length, segments.first(task) * words_, words_);
    }
    bill.alu_rows(operator_alu_, length);
    bill.rounds_of_rows(length, tile_rows_in_flight);
    return bill.counts();
  }));
}

PhaseForm ScanCost::scan_partials(std::int64_t tasks) const {
  return form_of_tasks(spec_, "scan_partials", 1, partials_.shared_words, [&](std::int64_t) {
    Bill bill(spec_);
    segment(bill, partials_, tasks, 0);
    return bill.counts();
  });
}

void ScanCost::segment(Bill& bill, const MethodCost& method, std::int64_t length,
                       std::int64_t first) {
  bill.alu(method.segment_alu);
  for (std::int64_t start = 0; start < length; start += method.tile_size) {
    method.tile(bill, std::min(method.tile_size, length - start), first + start);
  }
}

}  // namespace agpusim::scan
