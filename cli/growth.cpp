#include "agpusim/cli/growth.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/cli/sizes.hpp"
#include "agpusim/cli/terminal.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

constexpr std::int64_t first_size = 1 << 10;
constexpr std::int64_t factor = 4;

double lane_operations_of(const RunReport& report) {
  return static_cast<double>(report.total().instructions()) * report.spec.block_words;
}

std::optional<double> derived_operations(const Algorithm& algorithm, RunConfig config,
                                         std::int64_t n) {
  config.n = n;
  try {
    const auto report = algorithm.derive(resolve(algorithm, config));
    return report ? std::optional(lane_operations_of(*report)) : std::nullopt;
  } catch (const UsageError&) {
    return std::nullopt;  // too many tasks of several classes, or no such run
  }
}

}  // namespace

double Growth::lane_operations_at(std::int64_t size) const {
  if (derived) {
    if (const auto operations = derived(size)) return *operations;
  }
  return lane_operations * std::pow(static_cast<double>(size) / static_cast<double>(n), exponent);
}

double Growth::seconds_at(std::int64_t size) const {
  return seconds * lane_operations_at(size) / lane_operations;
}

std::optional<Growth> growth_of(const Algorithm& algorithm, const RunConfig& wanted,
                                std::int64_t largest, double enough, int threads) {
  std::optional<Growth> last;
  bool two_sizes = false;
  for (std::int64_t n = first_size; n <= largest && !(two_sizes && last->seconds > enough);
       n *= factor) {
    RunConfig config = wanted;
    config.n = n;
    try {
      config = resolve(algorithm, config);
      const auto start = std::chrono::steady_clock::now();
      SimulationOptions options;
      options.threads = threads;
      const RunReport report = algorithm.simulate(config, options).report;
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
      Growth growth{n, lane_operations_of(report), spent.count()};
      if (last) {
        two_sizes = true;
        growth.exponent = std::max(1.0, std::log(growth.lane_operations / last->lane_operations) /
                                            std::log(static_cast<double>(n / last->n)));
      }
      last = growth;
    } catch (const UsageError&) {
      // The machine or the parameters do not fit so small an input.
    } catch (const RuleViolation&) {
      return std::nullopt;
    }
  }
  if (!two_sizes) return std::nullopt;
  last->derived = [&algorithm, wanted](std::int64_t n) {
    return derived_operations(algorithm, wanted, n);
  };
  return last;
}

std::int64_t affordable_n(const Growth& growth, std::int64_t most,
                          double (Growth::*measure)(std::int64_t) const, double limit) {
  std::int64_t n = most;
  while (n > 1 && (growth.*measure)(n) > limit) n /= 2;
  return n;
}

std::optional<Growth> growth_below(const Algorithm& algorithm, const RunConfig& wanted,
                                   int threads) {
  constexpr double enough = 0.2;  // seconds that tell the rate of this host
  if (is_given(wanted.input)) return std::nullopt;
  return growth_of(algorithm, wanted, wanted.n / 8, enough, threads);
}

void announce_if_long(const Algorithm& algorithm, const RunConfig& wanted, int threads) {
  const auto growth = growth_below(algorithm, wanted, threads);
  if (!growth || growth->seconds_at(wanted.n) <= long_seconds) return;
  const auto power_below =
      static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(wanted.n)));
  const std::int64_t shorter =
      affordable_n(*growth, power_below, &Growth::seconds_at, long_seconds / 2);
  message(fmt::format(
      "agpusim: simulating n = {} will take about {}, since n = {} takes {:.2g} s; --n {} takes "
      "about {}; Ctrl-C ends it",
      size_text(wanted.n), duration_text(growth->seconds_at(wanted.n)), size_text(growth->n),
      growth->seconds, size_text(shorter), duration_text(growth->seconds_at(shorter))));
}

}  // namespace agpusim
