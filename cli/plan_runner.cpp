#include "agpusim/cli/plan_runner.hpp"

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

}  // namespace

void PlanRunner::execute(const std::function<bool(const RunConfig&)>& skip,
                         const std::function<std::string(const RunConfig&)>& run) {
  std::size_t number = 0;
  for (const RunConfig& config : plan_.configs) {
    ++number;
    if (skip(config)) {
      ++skipped_;
    } else if (out_of_time() || interrupted()) {
      ++left_;
    } else {
      attempt(config, fmt::format("[{}/{}] {}", number, plan_.configs.size(), describe(config)),
              run);
    }
  }
}

std::string PlanRunner::summary() const {
  return fmt::format(
      "{} runs done, {} skipped as already done, {} left over, {} failed; {} combinations of the "
      "plan "
      "are refused by the algorithms\n",
      done_, skipped_, left_, failed_, plan_.refused);
}

void PlanRunner::rethrow_failure() const {
  if (failure_) {
    throw Error(failure_->code(), fmt::format("{} of {} runs failed; the first: {}", failed_,
                                              plan_.configs.size(), failure_->what()));
  }
}

void PlanRunner::attempt(const RunConfig& config, const std::string& label,
                         const std::function<std::string(const RunConfig&)>& run) {
  try {
    const std::string outcome = run(config);
    ++done_;
    message(fmt::format("{}: {}", label, outcome));
  } catch (const IoError&) {
    throw;
  } catch (const Error& error) {
    ++failed_;
    message(fmt::format("{}: failed: {}", label, error.what()));
    if (!failure_) failure_ = error;
  }
}

bool PlanRunner::out_of_time() const {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  return max_seconds_ && elapsed.count() > *max_seconds_;
}

}  // namespace agpusim
