#include "agpusim/validation/contest/detail/evaluation.hpp"

#include <utility>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/predict/residency.hpp"

namespace agpusim::contest::detail {
namespace {

Cost cost_of(const Counted& counted) {
  const Counts total = counted.report.total();
  Cost cost;
  cost.time = counted.report.time();
  cost.io = total.io();
  cost.instructions = total.instructions();
  cost.wavefronts = total.wavefronts();
  cost.phases = static_cast<std::int64_t>(counted.report.phases.size());
  cost.source = counted.source;
  cost.from_n = counted.from_n;
  cost.differences = counted.differences;
  return cost;
}

}  // namespace

void evaluate(Entry& entry, const Algorithm& algorithm, const ComparedMachine& machine,
              const Options& options, const TimingRecord* measured) {
  const RunConfig& config = entry.config;
  CountOptions counting;
  counting.stored = &bundled_counts();
  counting.threads = options.threads;
  counting.verify = options.simulate;
  if (options.require_memory) counting.require_memory = options.require_memory;
  const Counted counted = count(algorithm, config, counting);
  if (counted.checksum && measured != nullptr && measured->checksum != *counted.checksum) {
    throw FileError(fmt::format(
        "{}: {} with n = {}: field 'checksum' is {:016x}, the result of this run has {:016x}; "
        "measure again",
        measured->origin, config.algorithm, config.n, measured->checksum, *counted.checksum));
  }
  entry.cost = cost_of(counted);
  entry.cost->bound = algorithm.lower_bound(config);
  if (!machine.constants) return;
  PredictedRun predicted = predict_run(config, counted.report.phases, *machine.constants);
  entry.why_not_predicted = std::move(predicted.why_not);
  if (!predicted.prediction) return;
  entry.predicted_ms = predicted.prediction->milliseconds;
  entry.limit = predicted.prediction->limit;
}

}  // namespace agpusim::contest::detail
