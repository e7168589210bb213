#include "agpusim/algorithms/statistics/task_cost.hpp"

#include <algorithm>

#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/statistics/kernel.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim::statistics {

SummaryCost::SummaryCost(const AgpuSpec& spec, const PolicyCost& policy)
    : spec_(spec),
      policy_(policy),
      words_(spec.words_per_element(static_cast<std::int32_t>(policy.number_bytes))),
      field_words_(spec.words_per_element(8)) {}

std::int64_t SummaryCost::shared_words(std::int32_t fields) const {
  return spec_.width * fields * field_words_;
}

std::vector<PhaseForm> SummaryCost::phases(const std::vector<Cut>& steps) const {
  const Segments& first = steps.front().host();
  std::vector<PhaseForm> forms = {
      form_of_tasks(spec_, "summarise_segments", first.tasks, shared_words(policy_.lane_fields),
                    [&](std::int64_t task) {
                      return segment(first.length(task), first.first(task), task, first.tasks);
                    })};
  for (std::size_t s = 1; s < steps.size(); ++s) {
    const Segments& cut = steps[s].host();
    forms.push_back(form_of_tasks(
        spec_, "merge_records", cut.tasks, shared_words(policy_.fields), [&](std::int64_t task) {
          return merge(cut.length(task), cut.first(task), cut.n, task, cut.tasks);
        }));
  }
  return forms;
}

Counts SummaryCost::segment(std::int64_t length, std::int64_t first, std::int64_t task,
                            std::int64_t tasks) const {
  Bill bill(spec_);
  if (policy_.reads_shift) bill.global_broadcast(first * words_, words_);
  bill.alu_prefix(policy_.first_alu, std::min<std::int64_t>(length, spec_.width));
  bill.loop_rows(length);
  bill.global_rows(&Counts::global_read, length, first * words_, words_);
  bill.alu_rows(policy_.absorb_alu, length);
  bill.rounds_of_rows(length, number_rows_in_flight);
  bill.alu(policy_.store_alu);
  fold(bill, std::min<std::int64_t>(length, spec_.width), policy_.lane_fields, policy_.fold_alu);
  bill.alu(1);  // lane == 0
  bill.alu_prefix(policy_.finish_alu, 1);
  write_record(bill, task, tasks);
  return bill.counts();
}

Counts SummaryCost::merge(std::int64_t length, std::int64_t first, std::int64_t records,
                          std::int64_t task, std::int64_t tasks) const {
  Bill bill(spec_);
  const std::int64_t lanes = std::min<std::int64_t>(length, spec_.width);
  const auto read = [&](std::int64_t from, std::int64_t count) {
    for (std::int64_t f = 0; f < policy_.fields; ++f) {
      bill.global_rows(&Counts::global_read, count, (f * records + from) * field_words_,
                       field_words_);
    }
  };
  bill.alu(1);  // lane < lanes
  read(first, lanes);
  bill.loop_rows(length - lanes);
  read(first + lanes, length - lanes);
  bill.alu_rows(policy_.merge_alu, length - lanes);
  // The first row arrives with those after it.
  if (length == lanes) {
    bill.rounds(1);
  } else {
    bill.rounds_of_rows(length - lanes, record_rows_in_flight);
  }
  fold(bill, lanes, policy_.fields, policy_.merge_alu);
  bill.alu(1);  // lane == 0
  write_record(bill, task, tasks);
  return bill.counts();
}

PhaseForm SummaryCost::serial(std::int64_t n) const {
  return form_of_tasks(spec_, "summarise_by_one_lane", 1, 0, [&](std::int64_t) {
    Bill bill(spec_);
    bill.alu(1);  // lane == 0
    if (policy_.reads_shift) {
      bill.global(&Counts::global_read, 1, 1, units_of_range(0, words_, spec_.block_words),
                  units_of_range(0, words_, spec_.sector_words()));
      bill.idle(1, 1);
    }
    bill.alu_prefix(policy_.first_alu, 1);
    bill.alu(n * (1 + policy_.absorb_alu), 1, 1);
    const auto units = [&](std::int64_t unit) {
      return sum_units_of_ranges(0, words_, n, words_, unit);
    };
    bill.global(&Counts::global_read, n, n, units(spec_.block_words), units(spec_.sector_words()));
    bill.idle(n, n);
    bill.rounds(n);
    bill.alu_prefix(policy_.store_alu + policy_.finish_alu, 1);
    write_record(bill, 0, 1);
    return bill.counts();
  });
}

/// The tree over the records of lanes 0, ..., lanes-1.
void SummaryCost::fold(Bill& bill, std::int64_t lanes, std::int32_t fields,
                       std::int64_t combine_alu) const {
  const auto access = [&](SharedCounts Counts::*kind, std::int64_t active) {
    bill.alu_prefix(fields, active);  // the place
    for (std::int32_t f = 0; f < fields; ++f) bill.shared_run(kind, 0, active, field_words_);
  };
  access(&Counts::shared_write, spec_.width);
  while (lanes > 1) {
    const std::int64_t half = (lanes + 1) / 2;
    bill.alu(1);  // lane < lanes - half
    access(&Counts::shared_read, lanes - half);
    bill.alu_prefix(combine_alu, lanes - half);
    access(&Counts::shared_write, lanes - half);
    lanes = half;
  }
}

void SummaryCost::write_record(Bill& bill, std::int64_t task, std::int64_t tasks) const {
  for (std::int64_t f = 0; f < policy_.fields; ++f) {
    const std::int64_t at = (f * tasks + task) * field_words_;
    bill.global(&Counts::global_write, 1, 1, units_of_range(at, field_words_, spec_.block_words),
                units_of_range(at, field_words_, spec_.sector_words()));
    bill.idle(1, 1);
  }
}

}  // namespace agpusim::statistics
