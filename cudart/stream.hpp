#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "agpusim/cudart/host_queue.hpp"

namespace agpusim::cudart {

/// cudaGraphNode_t: copies of a graph have the same ones.
struct GraphNode {};

/// cudaGraph_t: what a stream was asked to do while it was captured, or the program has added.
struct Graph {
  struct Node {
    Work work;
    bool of_host = false;
    std::vector<GraphNode*> after = {};  ///< nodes that come before it
    std::shared_ptr<GraphNode> handle = std::make_shared<GraphNode>();
  };
  std::vector<Node> nodes;
  bool is_captured = false;  ///< streams still add to it
};

/// cudaGraphExec_t
struct GraphExec {
  Graph graph;  ///< each node is behind those that come before it
};

/// cudaStream_t. A stream does at once what it is asked to, unless a function of the host is
/// before.
struct Stream {
  std::uint32_t flags = 0;
  std::int32_t priority = 0;
  std::shared_ptr<Graph> capture;  ///< to which it adds, or has added
  std::vector<GraphNode*> after;   ///< nodes there that come before what it adds next
  HostQueue::Ticket last = 0;      ///< latest work, which later work comes after
  bool began_capture = false;      ///< else it has waited for an event of a captured stream

  [[nodiscard]] bool is_captured() const { return capture != nullptr && capture->is_captured; }
};

/// cudaEvent_t
struct Event {
  double milliseconds = 0;  ///< predicted time at which it was recorded
  std::chrono::steady_clock::time_point wall;
  bool is_recorded = false;
  bool has_time = true;
  HostQueue::Ticket ticket = 0;    ///< ticket of its last record
  Moment moment;                   ///< moment of its last record
  std::shared_ptr<Graph> capture;  ///< graph of the stream that recorded it last
  std::vector<GraphNode*> after;   ///< and its latest nodes
};

/// The streams, events, graphs or executable graphs that the program has, by their handles.
template <class T>
std::map<const T*, std::shared_ptr<T>>& objects() {
  static auto* const all = new std::map<const T*, std::shared_ptr<T>>;  // outlives the program's
  return *all;
}

/// The handle of a new object.
template <class T>
T* handle_of(T object) {
  const auto made = std::make_shared<T>(std::move(object));
  objects<T>().emplace(made.get(), made);
  return made.get();
}

/// Gives the program the handle of a new object.
template <class T>
T& give(T** where, T object) {
  T*& handle = required(where);
  handle = handle_of(std::move(object));
  return *handle;
}

/// Throws `unknown` for a handle that was never given or is destroyed.
template <class T>
std::shared_ptr<T> object_of(const T* handle, Status unknown = Status::invalid_resource_handle) {
  const auto found = objects<T>().find(handle);
  if (found == objects<T>().end()) throw unknown;
  return found->second;
}

/// As CUDA's function does: what a graph uses of the object lives on.
template <class T>
Status destroy(const T* handle, Status unknown = Status::invalid_resource_handle) {
  return call(
      [&](Runtime&) { return objects<T>().erase(handle) == 1 ? Status::success : unknown; });
}

/// The stream of a handle: one that never captures for null and cudaStreamLegacy, one of this host
/// thread for cudaStreamPerThread. Throws Status for a handle of no stream.
[[nodiscard]] Stream& stream_of(Stream* handle);

/// What must be done before the stream goes on: streams that block wait for the legacy one, and it
/// for them.
[[nodiscard]] HostQueue::Ticket last_of(const Stream& stream);

/// Does the work, or adds it to the graph of a stream that is captured, or to the queue where a
/// function of the host is before. `of_host`: it is one.
Status submit(Stream* handle, Work work, bool of_host = false);

/// What the stream was asked for so far.
[[nodiscard]] Moment moment_of(Runtime& runtime, const Stream& stream);

/// Waits until then, and prints what kernels have printed. Throws Status.
void synchronize(Runtime& runtime, HostQueue::Ticket ticket, const Moment& moment);
/// For all that was asked for.
void synchronize(Runtime& runtime);

AGPUSIM_CUDART Status cudaStreamSynchronize(Stream* stream);

}  // namespace agpusim::cudart
