#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "agpusim/cudart/api.hpp"

namespace agpusim::cudart {

/// Something that a stream does.
using Work = std::function<Status()>;

/// cudaGraph_t: what a stream was asked to do while it was captured, in that order.
struct Graph {
  std::vector<Work> works;
  bool is_captured = false;  ///< streams still add to it
};

/// cudaStream_t. A stream does at once what it is asked to.
struct Stream {
  std::uint32_t flags = 0;
  std::int32_t priority = 0;
  std::shared_ptr<Graph> capture;  ///< to which it adds, or has added
  bool began_capture = false;      ///< else it has waited for an event of a captured stream

  [[nodiscard]] bool is_captured() const { return capture != nullptr && capture->is_captured; }
};

/// cudaEvent_t
struct Event {
  double milliseconds = 0;  ///< predicted time at which it was recorded
  std::chrono::steady_clock::time_point wall;
  bool is_recorded = false;
  bool has_time = true;
  std::shared_ptr<Graph> capture;  ///< of the stream that recorded it last
};

/// The stream of a handle: one that never captures for null, cudaStreamLegacy and
/// cudaStreamPerThread.
[[nodiscard]] Stream& stream_of(Stream* handle);

/// Does the work, or adds it to the graph of a stream that is captured.
Status submit(Stream* handle, Work work);

}  // namespace agpusim::cudart
