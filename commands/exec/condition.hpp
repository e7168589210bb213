#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/validation/exec/fold.hpp"

namespace agpusim::exec {

/// What the launches of a program may cost: "[kernel NAME[, launch K]:] cost op expression".
struct Condition {
  std::string text;                    ///< as it is written
  std::string kernel;                  ///< as ptx::is_called takes it; empty: all launches
  std::optional<std::int64_t> launch;  ///< launch of the kernel, from 1 on; none: sum of all
  std::string formula;                 ///< "conflicts == 0"
};

/// The costs that a formula may name: those of REQUIRE_COST without T_tot, predicted_ms, efficiency
/// (a fraction), findings, registers and local (bytes of local memory) of a lane, the maxima.
[[nodiscard]] std::vector<std::string> condition_costs();

/// Throws UsageError that shows the place of what cannot be read, and the costs that there are. A
/// formula compares two sums (== != <= >= < >) of products and quotients (* / ^ and brackets) of
/// numbers, costs and the machine's p, b and M; quotients are not rounded. "80 %" is 0.8, and
/// "105 % of base" that part of what the cost named before it was in the base.
[[nodiscard]] Condition condition_of(const std::string& text);

/// Why a condition does not hold.
struct Failure {
  std::string text;
  ptx::FileLine at = {};  ///< the line with most of the first cost that it names; or none
};

/// Why the condition does not hold, with the costs that it names and the lines they come from;
/// nothing where it holds. It does not where none of the launches that it speaks of has costs.
/// `base`: what --json has written before. Throws UsageError where it is empty and spoken of.
[[nodiscard]] std::optional<Failure> failure_of(const Condition& condition,
                                                const ProgramReport& program, const AgpuSpec& spec,
                                                const std::string& base = {});

/// The conditions in a file: one a line, "#" begins a comment. Throws UsageError that names the
/// line.
[[nodiscard]] std::vector<Condition> conditions_in(const std::string& text,
                                                   const std::string& name);

}  // namespace agpusim::exec
