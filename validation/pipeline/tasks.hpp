#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "agpusim/validation/pipeline/scheme.hpp"

// The tasks of seed 004, and those that its future work asks for.
namespace agpusim::out_of_core {

/// The data of a task in host memory.
struct TaskInput {
  std::span<const double> in;
  std::span<const std::int64_t> places;  ///< where it has places
  std::span<const std::uint32_t> heads;  ///< where it has head flags
  bool exclusive = false;                ///< of a scan: an element receives what lies before it
};

/// A complete row: command line, plans, tests and documents loop over these.
struct Task {
  std::string name;
  std::string summary;          ///< one line
  std::string primitive;        ///< of seed 004: transform, reduce, scan, scatter, sort, or several
  std::string operation;        ///< what is done to the elements
  std::string type;             ///< of an element
  std::int64_t in_bytes = 0;    ///< per element of the input, places and head flags included
  std::int64_t out_bytes = 0;   ///< per element of the output
  std::int64_t in_per_out = 1;  ///< elements of the input for one of the output, on average
  bool has_places = false;
  bool has_heads = false;         ///< flags of 32 bits, 1 where a segment begins
  bool may_be_exclusive = false;  ///< a scan: Request::exclusive asks for the exclusive one
  bool one_result = false;        ///< the output is one element, else n
  std::vector<Scheme> schemes;    ///< the default first
  /// The output by a plain loop.
  std::function<std::vector<double>(const TaskInput&)> reference;

  /// Bytes of the input and of the output for n elements.
  [[nodiscard]] std::int64_t bytes_in(std::int64_t n) const { return n * in_bytes; }
  [[nodiscard]] std::int64_t bytes_out(std::int64_t n) const {
    return (one_result ? 1 : (n + in_per_out - 1) / in_per_out) * out_bytes;
  }
};

[[nodiscard]] const std::vector<Task>& tasks();

/// Each throws UsageError with the known names when there is none of this name; an empty scheme is
/// the task's first.
[[nodiscard]] const Task& find_task(const std::string& name);
[[nodiscard]] const Scheme& find_scheme(const Task& task, const std::string& name);

}  // namespace agpusim::out_of_core
