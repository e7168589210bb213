#include "agpusim/cli/plan_runner.hpp"

#include <chrono>

#include <fmt/format.h>

#include "agpusim/cli/interrupt.hpp"
#include "agpusim/cli/sizes.hpp"
#include "agpusim/cli/terminal.hpp"

namespace agpusim {
namespace {

std::string describe(const RunConfig& config) {
  std::string text = fmt::format("{}{} {} n={} {} V={}", config.algorithm,
                                 config.variant.empty() ? "" : "/" + config.variant, config.type,
                                 size_text(config.n), config.input, config.spec.width);
  for (const auto& [name, value] : config.parameters) {
    text += fmt::format(" {}={}", name, value);
  }
  return text;
}

std::string describe(const TriedRun& run) {
  if (!run.measured) return "done";
  return fmt::format("{:.4g} ms ({} samples, {})", run.measured->ms, run.measured->samples,
                     run.stop);
}

/// Runs one configuration and notes what came of it.
void attempt(PlanResult& result, const RunConfig& config, const std::string& label,
             const std::function<Samples(const RunConfig&)>& run) {
  TriedRun& tried = result.tried.emplace_back(TriedRun{config, {}, {}, {}});
  try {
    const Samples samples = run(config);
    if (!samples.microseconds.empty()) tried.measured = measurement_of(samples.microseconds, {});
    tried.stop = samples.stop;
    message(fmt::format("{}: {}", label, describe(tried)));
  } catch (const IoError&) {
    throw;
  } catch (const Error& error) {
    ++result.failed;
    tried.failure = error.what();
    message(fmt::format("{}: failed: {}", label, error.what()));
    if (!result.first_failure) result.first_failure = error;
  }
}

}  // namespace

PlanResult execute(const Plan& plan, std::optional<double> max_seconds,
                   const std::function<bool(const RunConfig&)>& skip,
                   const std::function<Samples(const RunConfig&)>& run) {
  const auto start = std::chrono::steady_clock::now();
  const auto out_of_time = [&] {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    return max_seconds && elapsed.count() > *max_seconds;
  };
  PlanResult result;
  result.refused = plan.refused;
  std::size_t number = 0;
  for (const RunConfig& config : plan.configs) {
    ++number;
    if (skip(config)) {
      ++result.skipped;
    } else if (out_of_time() || interrupted()) {
      ++result.left;
    } else {
      attempt(result, config,
              fmt::format("[{}/{}] {}", number, plan.configs.size(), describe(config)), run);
    }
  }
  return result;
}

void rethrow_failure(const std::vector<PlanResult>& results) {
  std::size_t failed = 0;
  std::size_t tried = 0;
  const Error* first = nullptr;
  for (const PlanResult& result : results) {
    failed += static_cast<std::size_t>(result.failed);
    tried += result.tried.size();
    if (first == nullptr && result.first_failure) first = &*result.first_failure;
  }
  if (first == nullptr) return;
  throw Error(first->code(),
              fmt::format("{} of {} runs failed; the first: {}", failed, tried, first->what()));
}

}  // namespace agpusim
