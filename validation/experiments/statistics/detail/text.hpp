#pragma once

#include <string>

#include "agpusim/validation/experiments/statistics/nishimura.hpp"

namespace agpusim::nishimura::detail {

/// The constants and the twenty rows of each card, then which number of rounds explains more.
[[nodiscard]] std::string account_text(const Account& account);

}  // namespace agpusim::nishimura::detail
