#include "agpusim/algorithms/out_of_core/step_cost.hpp"

#include <algorithm>

#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/reduce/task_cost.hpp"
#include "agpusim/algorithms/scan/program.hpp"
#include "agpusim/algorithms/scan/task_cost.hpp"
#include "agpusim/model/cost/bill.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim::out_of_core {
namespace {

constexpr std::int64_t tasks_per_multiprocessor = 8;
constexpr std::int64_t index_bytes = 8;

/// One pass over the segments of a chunk: every element is read and written.
PhaseForm pass_form(const AgpuSpec& spec, const char* kernel, const Cut& cut,
                    const ElementCost& element, std::int64_t in_flight, std::int64_t broadcast_at) {
  const std::int64_t in_words = spec.words_per_element(element.in_bytes);
  const std::int64_t out_words = spec.words_per_element(element.out_bytes);
  const Segments segments = cut.host();
  return form_of_tasks(spec, kernel, segments.tasks, 0, [&](std::int64_t task) {
    const std::int64_t first = segments.first(task);
    const std::int64_t length = segments.length(task);
    Bill bill(spec);
    if (broadcast_at >= 0) bill.global_broadcast(broadcast_at * in_words, in_words);
    bill.loop_rows(length);
    bill.global_rows(&Counts::global_read, length, first * in_words, in_words);
    bill.alu_rows(element.alu, length);
    bill.rounds_of_rows(length, in_flight);
    bill.global_rows(&Counts::global_write, length, first * out_words, out_words);
    return bill.counts();
  });
}

}  // namespace

scan::LaneSerial scan_method(const AgpuSpec& spec) {
  return {spec.width, static_cast<std::int32_t>(scan::default_per_lane)};
}

Cut cut_of_chunk(const AgpuSpec& spec, std::int64_t n) {
  Segmentation how;
  how.width = spec.width;
  how.max_tasks = tasks_per_multiprocessor * spec.multiprocessors();
  how.unit_rows = scan::default_per_lane;
  return {n, how};
}

std::int64_t most_partials(const AgpuSpec& spec, std::int64_t n) {
  return cut_of_chunk(spec, n).most_tasks();
}

Cut cut_of_partials(const AgpuSpec& spec, std::int64_t count) {
  Segmentation how;
  how.width = spec.width;
  return {count, how};
}

std::vector<PhaseForm> map_forms(const AgpuSpec& spec, std::int64_t n, const ElementCost& element) {
  if (n == 0) return {};
  return {pass_form(spec, "map_elements", cut_of_chunk(spec, n), element, rows_in_flight, -1)};
}

std::vector<PhaseForm> combine_forms(const AgpuSpec& spec, std::int64_t n, std::int64_t at,
                                     const ElementCost& element) {
  if (n == 0) return {};
  return {pass_form(spec, "combine_before", cut_of_chunk(spec, n), element, rows_in_flight, at)};
}

std::vector<PhaseForm> reduce_forms(const AgpuSpec& spec, std::int64_t n,
                                    const ElementCost& element) {
  if (n == 0) return {};
  const reduce::TaskCost cost(spec, spec.words_per_element(element.in_bytes), element.alu,
                              element.commutative ? 0 : scan::default_per_lane);
  const Cut cut = cut_of_chunk(spec, n);
  return {cost.phase(cut), cost.phase(cut_of_partials(spec, cut.host().tasks))};
}

std::vector<PhaseForm> scan_forms(const AgpuSpec& spec, std::int64_t n,
                                  const ElementCost& element) {
  const std::int64_t words = spec.words_per_element(element.in_bytes);
  std::vector<PhaseForm> forms;
  scan::ScanCost(spec, words, element.alu, element.commutative, scan::default_per_lane)
      .append(forms, cut_of_chunk(spec, n));
  if (forms.empty()) return forms;
  // The carry is read by all lanes and written by one.
  Bill carry(spec);
  carry.global_broadcast(0, words);
  carry.alu(1);  // lane == 0
  carry.global(&Counts::global_write, 1, 1, units_of_range(0, words, spec.block_words),
               units_of_range(0, words, spec.sector_words()));
  carry.idle(1, 1);
  PhaseForm& partials = forms[1];
  partials = form_of_tasks(spec, "carry_partials", 1, partials.shared_words, [&](std::int64_t) {
    Bill bill(spec);
    bill.add(partials.counts);
    bill.add(carry.counts());
    return bill.counts();
  });
  return forms;
}

std::vector<PhaseForm> scatter_forms(const AgpuSpec& spec, std::int64_t n, std::int64_t hits,
                                     std::int32_t bytes) {
  if (n == 0) return {};
  // To 64 bits, minus `first`, in the window (3), to 32 bits, outside the output (3).
  constexpr std::int64_t instructions = 9;
  const std::int64_t words = spec.words_per_element(bytes);
  const std::int64_t index_words = spec.words_per_element(index_bytes);
  const Segments segments = cut_of_chunk(spec, n).host();
  return {form_of_tasks(spec, "scatter_to_window", segments.tasks, 0, [&](std::int64_t task) {
    const std::int64_t first = segments.first(task);
    const std::int64_t length = segments.length(task);
    const std::int64_t written = ceil_div(hits * length, n);
    Bill bill(spec);
    bill.loop_rows(length);
    bill.global_rows(&Counts::global_read, length, first * index_words, index_words);
    bill.global_rows(&Counts::global_read, length, first * words, words);
    bill.alu_rows(instructions, length);
    bill.rounds_of_rows(length);
    bill.global(&Counts::global_write, written,
                std::min(written, ceil_div(length, spec.block_words)),
                written * units_of_range(0, words, spec.block_words),
                written * units_of_range(0, words, spec.sector_words()));
    return bill.counts();
  })};
}

}  // namespace agpusim::out_of_core
