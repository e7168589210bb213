#pragma once

#include <string>
#include <vector>

#include "agpusim/model/agpu/spec.hpp"

namespace agpusim {

/// A machine with a name, for the command line and the measurement plan.
struct Machine {
  std::string name;
  std::string explanation;  ///< where the numbers come from, one line
  AgpuSpec spec;
};

/// Every named machine; the first is the default.
[[nodiscard]] const std::vector<Machine>& machines();

/// Throws UsageError with the known names when there is none of this name.
[[nodiscard]] const Machine& find_machine(const std::string& name);

/// The table of `agpusim help machines`.
[[nodiscard]] std::string machines_text();

}  // namespace agpusim
