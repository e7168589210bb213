#pragma once

#include <vector>

#include "agpusim/validation/experiments/statistics/nishimura.hpp"
#include "agpusim/validation/report/plot_data.hpp"

namespace agpusim::nishimura::detail {

using agpusim::detail::Json;

/// Everything but the plots.
[[nodiscard]] Json encode(const Experiment& experiment);

/// As a page takes them: "account" (a panel per card, time over N) and, with a comparison, "panels"
/// (time over n); marks measured, lines predicted.
[[nodiscard]] std::vector<agpusim::detail::Plot> plots(const Experiment& experiment);

}  // namespace agpusim::nishimura::detail
