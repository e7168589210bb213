#include "agpusim/cli/run_time.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/cli/sizes.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/counts/counts.hpp"

namespace agpusim {
namespace {

/// A smaller run of the same kind.
struct Timed {
  std::string what;  ///< for example "n = 2^14"
  double work = 0;   ///< lane operations, or processor-steps
  double seconds = 0;
  bool enough = false;  ///< to tell the rate of this host
};

template <class F>
Timed timed(std::string what, F run) {
  constexpr double enough_seconds = 1;
  const auto start = std::chrono::steady_clock::now();
  run();
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
  return {std::move(what), 0, spent.count(), spent.count() > enough_seconds};
}

/// The smallest of the runs with 2^10, 2^12, ... elements, and parameters to match, that takes long
/// enough, else the largest that is small beside `config`.
std::optional<Timed> timed_small_run(const Algorithm& algorithm, const RunConfig& config,
                                     int threads) {
  std::int64_t largest = config.n;
  for (const auto& [name, value] : config.parameters) largest = std::max(largest, value);
  std::optional<RunConfig> last;
  Timed small;
  for (std::int64_t n = 1 << 10; n <= largest / 8 && !small.enough; n *= 4) {
    const auto run = scaled_down(algorithm, config, n);
    if (!run || *run == config) continue;
    std::string what = fmt::format("n = {}", size_text(run->n));
    if (run->n == config.n) {
      what +=
          fmt::format(" with parameters up to {}", size_text(std::max<std::int64_t>(n, 1 << 16)));
    }
    SimulationOptions options;
    options.threads = threads;
    small = timed(std::move(what), [&] { static_cast<void>(algorithm.simulate(*run, options)); });
    last = run;
  }
  if (!last) return std::nullopt;
  small.work = estimated_lane_operations(algorithm, *last);
  return small;
}

RunConfig pram_with_size(const Algorithm& algorithm, RunConfig config, std::int64_t n) {
  const RunConfig before = config;
  config.n = n;
  for (const Parameter& parameter : algorithm.pram->parameters) {
    if (config.parameters[parameter.name] == parameter.default_value(before)) {
      config.parameters.erase(parameter.name);
    }
  }
  return resolve(algorithm, std::move(config));
}

double work_of(const Algorithm& algorithm, const RunConfig& config) {
  return algorithm.pram->closed_form ? static_cast<double>(algorithm.pram->closed_form(config).work)
                                     : 0;
}

std::optional<Timed> timed_small_run(const Algorithm& algorithm, const RunConfig& config,
                                     const PramOptions& options) {
  constexpr double enough_work = 1 << 23;
  const double most_work = work_of(algorithm, config) / 8;
  std::optional<Timed> result;
  for (std::int64_t n = 1 << 4; n <= config.n / 8; n *= 2) {
    const RunConfig run = pram_with_size(algorithm, config, n);
    const double work = work_of(algorithm, run);
    if (work < enough_work) continue;
    if (work > most_work) break;
    result = timed(fmt::format("n = {}", size_text(n)),
                   [&] { static_cast<void>(algorithm.pram->run(run, options)); });
    result->work = work;
    if (result->enough) break;
  }
  return result;
}

/// `affordable(work)`: the largest size that takes at most so much, or 0.
template <class F>
void announce(const std::string& doing, std::int64_t n, double work, const Timed& small,
              const std::string& instead, F affordable) {
  constexpr double long_seconds = 60;
  const double rate = small.work / small.seconds;
  if (work <= rate * long_seconds) return;
  const std::int64_t most = affordable(rate * long_seconds / 2);
  message(fmt::format(
      "agpusim: {} n = {} will take about {}, since {} takes {:.2g} s; {}{}Ctrl-C ends it", doing,
      size_text(n), duration_text(work / rate), small.what, small.seconds, instead,
      most == 0 ? "" : fmt::format("--n {} takes less than a minute; ", size_text(most))));
}

std::int64_t power_below(std::int64_t n) {
  return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(n)));
}

}  // namespace

std::int64_t affordable_n(const Algorithm& algorithm, const RunConfig& config, std::int64_t most,
                          double lane_operations) {
  for (std::int64_t n = most; n > 1; n /= 2) {
    const auto run = with_size(algorithm, config, n);
    if (run && estimated_lane_operations(algorithm, *run) <= lane_operations) return n;
  }
  return most;
}

void announce_if_long(const Algorithm& algorithm, const RunConfig& config, int threads) {
  if (is_given(config.input)) return;
  try {
    const auto small = timed_small_run(algorithm, config, threads);
    if (!small) return;
    const auto tiny = scaled_down(algorithm, config, 1 << 10);
    const bool derived = tiny && algorithm.derive(*tiny);
    announce("simulating", config.n, estimated_lane_operations(algorithm, config), *small,
             derived ? "`agpusim sweep` and `why` have its counts in seconds; " : "",
             [&](double work) {
               const std::int64_t n = affordable_n(algorithm, config, power_below(config.n), work);
               const auto run = with_size(algorithm, config, n);
               return run && estimated_lane_operations(algorithm, *run) <= work ? n : 0;
             });
  } catch (const UsageError&) {
    // So will the run itself say.
  } catch (const RuleViolation&) {
  }
}

void announce_if_long(const Algorithm& algorithm, const RunConfig& config,
                      const PramOptions& options) {
  if (is_given(config.input)) return;
  try {
    const auto small = timed_small_run(algorithm, config, options);
    if (!small) return;
    announce("running", config.n, work_of(algorithm, config), *small, "", [&](double work) {
      std::int64_t n = power_below(config.n);
      while (n > 0 && work_of(algorithm, pram_with_size(algorithm, config, n)) > work) n /= 2;
      return n;
    });
  } catch (const UsageError&) {
  } catch (const RuleViolation&) {
  }
}

}  // namespace agpusim
