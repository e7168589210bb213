#include "agpusim/algorithms/out_of_core/step_cost.hpp"

#include <algorithm>

#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/scan/program.hpp"
#include "agpusim/model/cost/bill.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim::out_of_core {
namespace {

constexpr std::int64_t tasks_per_multiprocessor = 8;
constexpr std::int64_t index_bytes = 8;

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

std::vector<PhaseReport> scatter_phases(const AgpuSpec& spec, std::int64_t n, std::int64_t hits,
                                        std::int32_t bytes) {
  if (n == 0) return {};
  // To 64 bits, minus `first`, in the window (3), to 32 bits, outside the output (3).
  constexpr std::int64_t instructions = 9;
  const std::int64_t words = spec.words_per_element(bytes);
  const std::int64_t index_words = spec.words_per_element(index_bytes);
  const Segments segments = cut_of_chunk(spec, n).host();
  return {phase_of_tasks(spec, "scatter_to_window", segments.tasks, 0, [&](std::int64_t task) {
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
