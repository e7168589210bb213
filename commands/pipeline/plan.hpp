#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/model/agpu/spec.hpp"
#include "agpusim/model/transfer/chunks.hpp"
#include "agpusim/model/transfer/link.hpp"
#include "agpusim/model/transfer/pipeline.hpp"
#include "agpusim/model/transfer/recorder.hpp"
#include "agpusim/model/transfer/schedule.hpp"

namespace agpusim::out_of_core {

struct Task;

/// Most operations of a pipeline that is scheduled.
inline constexpr std::int64_t most_operations = 50'000;
/// Smallest chunk that is tried, in elements.
inline constexpr std::int64_t least_chunk = 1 << 16;
/// Largest array that is simulated, in elements.
inline constexpr std::int64_t most_simulated = 1 << 22;
inline constexpr std::int32_t most_streams = 64;

/// What is to be planned.
struct Request {
  std::string task;
  std::string scheme;      ///< empty: the task's first
  bool exclusive = false;  ///< whether a scan leaves an element out of its own sum
  std::int64_t n = 0;
  std::int64_t budget_bytes = 0;  ///< device memory
  std::int32_t streams = 3;
  std::int64_t chunk = 0;  ///< elements; 0: the one with the least time
  AgpuSpec spec;
  transfer::LinkSpec link;
  transfer::HostMemory memory = transfer::HostMemory::pinned;  ///< memory of the host's arrays
  KernelClock clock;
  double compact_rate = 0;  ///< places per second; needed where Scheme::compacts
};

/// What a step costs in all its runs.
struct StepTotal {
  std::string step;
  std::int64_t runs = 0;
  std::int64_t elements = 0;
  std::int64_t launches = 0;
  std::int64_t time = 0;  ///< T, time units
  std::int64_t io = 0;    ///< Q, blocks
  std::int64_t instructions = 0;
  double seconds = 0;
  std::int64_t device_bytes = 0;  ///< read and written in device memory
};

/// A size of the chunks that was tried.
struct Trial {
  std::int64_t chunk = 0;
  std::optional<double> seconds;  ///< time of the pipeline
  std::string refusal;            ///< why there are none
};

/// A pipeline and when its operations run. One result, many writers.
struct Plan {
  std::string task;
  std::string scheme;
  bool exclusive = false;
  std::int64_t budget_bytes = 0;
  AgpuSpec spec;
  transfer::LinkSpec link;
  Chunks chunks;
  std::vector<Trial> trials;  ///< ascending; empty where the request has a chunk
  transfer::Pipeline pipeline;
  transfer::Schedule schedule;
  transfer::PipelineBound bound;
  std::vector<StepTotal> steps;   ///< in the order of their first run
  std::int64_t device_bytes = 0;  ///< taken of the budget
  std::optional<bool> correct;    ///< whether the result is the plain loop's; absent: not simulated
};

/// The pipeline of derived counts. Throws UsageError for an unknown task or scheme, for n outside
/// 0..2^40, a budget that holds no chunk, streams outside 1..64, a chunk that does not fit or makes
/// too many operations, and kernels with too much shared memory.
[[nodiscard]] Plan make_plan(const Request& request);

/// Plans and runs on the abstract machine n <= most_simulated elements made from `seed`.
[[nodiscard]] Plan simulate(const Request& request, std::uint64_t seed);
/// Plans and runs `task`, whose name and scheme the request has, and checks it by its reference.
[[nodiscard]] Plan simulate(const Task& task, const Request& request, std::uint64_t seed);

}  // namespace agpusim::out_of_core
