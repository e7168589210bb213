#pragma once

#include "agpusim/algorithms/registry.hpp"

namespace agpusim {

/// `row`, a row of a table, whose `derive` first holds what its kernels say of their cost
/// (`oblivious`, task_class(), mp.turns()) to simulations, once for each variant, type, input,
/// machine and choice of parameters: at sizes from the smallest up to one where every phase has a
/// dozen tasks, to 2^22 lane operations or to the size of the run. Throws Mismatch that says what
/// to change in a kernel.
[[nodiscard]] Algorithm with_checked_claims(Algorithm row);

}  // namespace agpusim
