#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "agpusim/validation/pipeline/scheme.hpp"

// The tasks of seed 004.
namespace agpusim::out_of_core {

/// A complete row: command line, plans, tests and documents loop over these.
struct Task {
  std::string name;
  std::string summary;         ///< one line
  std::string primitive;       ///< of seed 004: transform, reduce, scan, scatter, sort
  std::string operation;       ///< what is done to the elements
  std::string type;            ///< of an element
  std::int64_t in_bytes = 0;   ///< per element of the input, places included
  std::int64_t out_bytes = 0;  ///< per element of the output
  bool has_places = false;
  bool one_result = false;      ///< the output is one element, else n
  std::vector<Scheme> schemes;  ///< the default first
  /// The output by a plain loop.
  std::function<std::vector<double>(std::span<const double> in,
                                    std::span<const std::int64_t> places)>
      reference;
};

[[nodiscard]] const std::vector<Task>& tasks();

/// Each throws UsageError with the known names when there is none of this name; an empty scheme is
/// the task's first.
[[nodiscard]] const Task& find_task(const std::string& name);
[[nodiscard]] const Scheme& find_scheme(const Task& task, const std::string& name);

}  // namespace agpusim::out_of_core
