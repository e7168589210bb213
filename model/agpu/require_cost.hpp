#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "agpusim/model/agpu/report.hpp"

namespace agpusim::detail {

/// The costs that REQUIRE_COST names, in the order of its macro.
[[nodiscard]] std::array<std::int64_t, 13> cost_terms(const RunReport& report);
[[nodiscard]] std::vector<std::string> cost_names();

/// Why `condition` does not hold: the costs that it names and, where the report has them, the lines
/// that they come from.
[[nodiscard]] std::string cost_failure(const RunReport& report, const std::string& condition);

/// The line that is charged most of the first cost that `condition` names; null where no line is.
[[nodiscard]] const LineCost* dearest_line(const RunReport& report, const std::string& condition);

}  // namespace agpusim::detail

/// In a Catch2 test: REQUIRE_COST(report, conflicts == 0), REQUIRE_COST(report, Q <= 2 * n / b).
/// Names of costs: T, T_tot, Q, Q_max, phases, instructions, sectors, wavefronts, conflicts,
/// rounds, serialised, contention (as `agpusim run` prints them) and idle_lanes, the lanes that
/// divergence left without work, summed over the instructions. All are std::int64_t. A report of a
/// run with SimulationOptions::by_line makes the failure name source lines.
#define REQUIRE_COST(report, ...)                                                               \
  do {                                                                                          \
    const ::agpusim::RunReport& agpusim_report = (report);                                      \
    const auto agpusim_holds =                                                                  \
        [&]([[maybe_unused]] std::int64_t T, [[maybe_unused]] std::int64_t T_tot,               \
            [[maybe_unused]] std::int64_t Q, [[maybe_unused]] std::int64_t Q_max,               \
            [[maybe_unused]] std::int64_t phases, [[maybe_unused]] std::int64_t instructions,   \
            [[maybe_unused]] std::int64_t sectors, [[maybe_unused]] std::int64_t wavefronts,    \
            [[maybe_unused]] std::int64_t conflicts, [[maybe_unused]] std::int64_t rounds,      \
            [[maybe_unused]] std::int64_t serialised, [[maybe_unused]] std::int64_t contention, \
            [[maybe_unused]] std::int64_t idle_lanes) -> bool { return __VA_ARGS__; };          \
    if (std::apply(agpusim_holds, ::agpusim::detail::cost_terms(agpusim_report))) {             \
      SUCCEED(#__VA_ARGS__);                                                                    \
    } else {                                                                                    \
      FAIL(::agpusim::detail::cost_failure(agpusim_report, #__VA_ARGS__));                      \
    }                                                                                           \
  } while (false)
