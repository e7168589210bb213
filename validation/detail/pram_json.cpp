#include "agpusim/validation/detail/pram_json.hpp"

namespace agpusim::detail {

using Json = nlohmann::ordered_json;

Json encode(const PramSpec& spec) {
  return {{"access", to_string(spec.access)},
          {"sum", spec.sum == SumReading::values ? "values" : "count"},
          {"w", spec.word_bits},
          {"reads_per_step", spec.reads_per_step},
          {"max_processors", spec.max_processors},
          {"seed", spec.seed}};
}

Json encode(const PramRunConfig& config) {
  return {{"algorithm", config.algorithm},
          {"variant", config.variant},
          {"n", config.n},
          {"input", config.input},
          {"seed", config.seed},
          {"machine", encode(config.machine)},
          {"parameters", config.parameters}};
}

Json encode(const PramForm& form) {
  return {{"steps", form.steps}, {"processors", form.processors}, {"work", form.work}};
}

Json encode_measures(const PramReport& report) {
  return {{"steps", report.time()},         {"processors", report.processors()},
          {"work", report.work()},          {"processor_time", report.processor_time()},
          {"cells", report.cells},          {"contention", report.contention()},
          {"qrqw_time", report.qrqw_time()}};
}

Json encode_totals(const RunReport& agpu) {
  const Counts total = agpu.total();
  return {{"T", agpu.time()},
          {"Q", total.io()},
          {"sectors", total.sectors()},
          {"atomic_requests", total.global_atomic.requests},
          {"serialised", total.serialised},
          {"contention", agpu.contention()}};
}

}  // namespace agpusim::detail
