#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "agpusim/validation/experiments/out_of_core/device_runs.hpp"
#include "agpusim/validation/experiments/out_of_core/host_baselines.hpp"

namespace agpusim::out_of_core {

/// Arrays of host memory that a scheme writes on the way.
struct Scratch {
  bool values = false;
  bool places = false;
  std::int64_t (*words)(std::int64_t n) = nullptr;  ///< of 64 bits
  bool only_of_chunks = false;                      ///< a single chunk needs nothing
};

/// How a task is measured: a complete row beside that of tasks().
struct TaskRow {
  std::string task;
  std::map<std::string, Scratch> scratch = {};  ///< of schemes; those that are absent need none
  void (*fill)(const HostArrays& arrays, std::uint64_t seed) = nullptr;
  bool in_place = false;  ///< the host's program begins with the input in `out`
  void (*on_host)(HostCores cores, const HostArrays& arrays) = nullptr;
  std::string (*check)(const HostArrays& arrays) = nullptr;  ///< what is wrong; empty: nothing
};

[[nodiscard]] const std::vector<TaskRow>& task_rows();

/// Throws UsageError with the known names.
[[nodiscard]] const TaskRow& find_row(const std::string& task);

}  // namespace agpusim::out_of_core
