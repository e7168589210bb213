#pragma once

#include "agpusim/validation/experiments/statistics/nishimura.hpp"
#include "agpusim/validation/json/json.hpp"

namespace agpusim::nishimura::detail {

using agpusim::detail::Json;

/// Everything but the plots.
[[nodiscard]] Json encode(const Experiment& experiment);

/// As a page takes them: "account" (a panel per card, time over N) and, with a comparison, "panels"
/// (time over n), on log axes; points measured, lines predicted.
[[nodiscard]] Json plots(const Experiment& experiment);

}  // namespace agpusim::nishimura::detail
