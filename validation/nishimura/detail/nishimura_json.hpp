#pragma once

#include "agpusim/validation/detail/json.hpp"
#include "agpusim/validation/nishimura/nishimura.hpp"

namespace agpusim::nishimura::detail {

using agpusim::detail::Json;

/// Everything but the plots.
[[nodiscard]] Json encode(const Experiment& experiment);

/// As a page takes them: "account" (a panel per card, time over N) and, with a comparison, "panels"
/// (time over n), on log axes; points measured, lines predicted.
[[nodiscard]] Json plots(const Experiment& experiment);

}  // namespace agpusim::nishimura::detail
