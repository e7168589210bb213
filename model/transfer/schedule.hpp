#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/model/transfer/link.hpp"
#include "agpusim/model/transfer/pipeline.hpp"

namespace agpusim::transfer {

/// When an operation ran, in seconds from the start of the pipeline.
struct Interval {
  double begin = 0;
  double end = 0;
};

/// Least time of a pipeline: no schedule is shorter.
struct PipelineBound {
  double seconds = 0;
  std::string resource;  ///< what demands it: an engine, both directions, host memory, dependencies
};

/// How a pipeline ran, on the model or on a device.
struct Schedule {
  std::vector<Interval> intervals;  ///< when each operation ran
  double makespan = 0;              ///< seconds
  /// Operations of which each began as the one before it ended, from the start to the makespan.
  std::vector<OperationId> critical_path;
  std::array<double, engines.size()> busy{};  ///< seconds in which each engine had an operation

  [[nodiscard]] double busy_of(Engine engine) const {
    return busy[static_cast<std::size_t>(engine)];
  }
  /// Share of the makespan in which the engine was busy.
  [[nodiscard]] double utilisation(Engine engine) const {
    return makespan > 0 ? busy_of(engine) / makespan : 0;
  }
};

/// Which operation an engine takes next.
enum class EngineOrder : std::uint8_t {
  ready,  ///< the one added first among those whose predecessors have ended
  added   ///< the one added first, even if it is not ready yet: as one CUDA stream per engine does
};

/// Runs a pipeline: whenever an engine is free it takes an operation whose predecessors have ended;
/// where one engine does both, a copy out before a copy in. Copies under way share the bandwidth of
/// both directions, and everything that uses host memory shares that, each at the same fraction of
/// its speed. Throws UsageError for an invalid link.
[[nodiscard]] Schedule schedule(const Pipeline& pipeline, const LinkSpec& link,
                                EngineOrder order = EngineOrder::ready);

/// Total busy time and makespan of intervals that were measured or scheduled.
[[nodiscard]] Schedule schedule_of_intervals(const Pipeline& pipeline,
                                             std::vector<Interval> intervals);

/// The largest of: the work of each engine, the bytes over each shared bandwidth, the longest chain
/// of operations that wait for each other.
[[nodiscard]] PipelineBound lower_bound(const Pipeline& pipeline, const LinkSpec& link);

}  // namespace agpusim::transfer
