#include "agpusim/cli/run_time.hpp"

#include <bit>
#include <chrono>
#include <optional>

#include <fmt/format.h>

#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/cli/sizes.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/counts/counts.hpp"

namespace agpusim {
namespace {

struct Timed {
  RunConfig config;
  double seconds = 0;
};

/// The smallest of the runs with 2^10, 2^12, ... elements that takes long enough to tell the rate
/// of this host, else the largest that is small beside `config`.
std::optional<Timed> timed_small_run(const Algorithm& algorithm, const RunConfig& config,
                                     int threads) {
  constexpr double enough_seconds = 0.2;
  std::optional<Timed> timed;
  for (std::int64_t n = 1 << 10; n <= config.n / 8; n *= 4) {
    const auto run = with_size(algorithm, config, n);
    if (!run) continue;
    SimulationOptions options;
    options.threads = threads;
    const auto start = std::chrono::steady_clock::now();
    static_cast<void>(algorithm.simulate(*run, options));
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    timed = Timed{*run, spent.count()};
    if (timed->seconds > enough_seconds) break;
  }
  return timed;
}

void announce(const Algorithm& algorithm, const RunConfig& config, int threads) {
  constexpr double long_seconds = 60;
  const auto timed = timed_small_run(algorithm, config, threads);
  if (!timed) return;
  const double rate = estimated_lane_operations(algorithm, timed->config) / timed->seconds;
  const double seconds = estimated_lane_operations(algorithm, config) / rate;
  if (seconds <= long_seconds) return;
  const auto power_below =
      static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(config.n)));
  message(fmt::format(
      "agpusim: simulating n = {} will take about {}, since n = {} takes {:.2g} s; --n {} takes "
      "less than a minute; Ctrl-C ends it",
      size_text(config.n), duration_text(seconds), size_text(timed->config.n), timed->seconds,
      size_text(affordable_n(algorithm, config, power_below, rate * long_seconds / 2))));
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
    announce(algorithm, config, threads);
  } catch (const UsageError&) {
    // So will the run itself say.
  } catch (const RuleViolation&) {
  }
}

}  // namespace agpusim
