#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/model/pram/run.hpp"

namespace agpusim {

/// Prefix sums of a Sum-CRCW PRAM (theory 3.2, PS1 to PS4).
enum class PrefixSums { dyadic, nested, log_star, work_optimal };

/// y[k] = init + x[0] + ... + x[k] for k < m, where y has m cells and x at least as many. An `init`
/// costs dyadic m processors more, the others nothing. m = 0: no step. A processor reads at most
/// two cells in a step, with dyadic and nested at most one.
void prefix_sums(Pram& pram, PrefixSums kind, const PramArray& x, const PramArray& y,
                 std::optional<std::int64_t> init = {});

/// What prefix_sums costs for m elements, as a formula.
[[nodiscard]] PramForm prefix_sums_form(PrefixSums kind, std::int64_t m, bool has_init = false);

/// Their names and bounds, for the rows of the algorithms that use them.
[[nodiscard]] std::string to_string(PrefixSums kind);
/// The inverse, for a name that to_string gave.
[[nodiscard]] PrefixSums parse_prefix_sums(const std::string& name);

}  // namespace agpusim
