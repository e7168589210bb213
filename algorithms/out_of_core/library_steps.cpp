#include "agpusim/algorithms/out_of_core/library_steps.hpp"

#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/out_of_core/step_cost.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/cost/bill.hpp"

namespace agpusim::out_of_core {

std::vector<PhaseReport> sort_phases(const AgpuSpec& spec, std::int64_t n, std::int32_t bytes) {
  if (n == 0) return {};
  const Algorithm& row = bundled_algorithms().find("fused_bitonic_sort");
  RunConfig config;
  config.spec = spec;
  config.n = n;
  config.type = bytes <= 4 ? "u32" : "u64";
  return row.derive(resolve(row, config)).value().phases;
}

std::vector<PhaseReport> partition_phases(const AgpuSpec& spec, std::int64_t n,
                                          std::int32_t bytes) {
  if (n == 0) return {};
  const std::int64_t words = spec.words_per_element(bytes);
  const std::int64_t place_words = spec.words_per_element(sizeof(std::int64_t));
  const Segments segments = cut_of_chunk(spec, n).host();
  return {phase_of_tasks(spec, "partition", segments.tasks, 0, [&](std::int64_t task) {
    const std::int64_t first = segments.first(task);
    const std::int64_t length = segments.length(task);
    Bill bill(spec);
    bill.loop_rows(length);
    for (const std::int64_t element : {place_words, words}) {
      bill.global_rows(&Counts::global_read, length, first * element, element);
      bill.global_rows(&Counts::global_write, length, first * element, element);
    }
    bill.rounds_of_rows(length);
    return bill.counts();
  })};
}

}  // namespace agpusim::out_of_core
