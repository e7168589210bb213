#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "agpusim/papers/common/contest.hpp"
#include "agpusim/papers/statistics/account.hpp"

namespace agpusim::statistics_experiment {

/// A statement of the paper about its times, on one device.
struct Finding {
  std::string section;  ///< section of the paper
  std::string statement;
  std::string device;
  bool holds = false;
  std::string numbers;  ///< what was measured, in one line
};

/// The statements about the growth of Tm and of the speed-up Ts/Tm, each on the cards of the paper
/// and on the device of the panels. A device without the times takes no part.
[[nodiscard]] std::vector<Finding> findings_of(const Account& account,
                                               const contest::Contest& panels);

}  // namespace agpusim::statistics_experiment
