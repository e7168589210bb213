#include <set>
#include <utility>

#include "agpusim/cudart/stream.hpp"

namespace agpusim::cudart {

namespace {

/// Sorts the nodes of a graph so that each is behind those that come before it. Throws Status where
/// they form a circle.
Graph sorted(const Graph& graph) {
  std::map<const GraphNode*, std::vector<std::size_t>> followers;
  std::vector<std::size_t> left(graph.nodes.size());  // nodes before each
  std::set<std::size_t> ready;
  for (std::size_t i = 0; i < left.size(); ++i) {
    left[i] = graph.nodes[i].after.size();
    for (const GraphNode* const before : graph.nodes[i].after) followers[before].push_back(i);
    if (left[i] == 0) ready.insert(i);
  }
  Graph result;
  while (!ready.empty()) {
    const Graph::Node& node = graph.nodes[ready.extract(ready.begin()).value()];
    result.nodes.push_back(node);
    for (const std::size_t i : followers[node.handle.get()]) {
      if (--left[i] == 0) ready.insert(i);
    }
  }
  if (result.nodes.size() != graph.nodes.size()) throw Status::invalid_value;
  return result;
}

}  // namespace

AGPUSIM_CUDART Status cudaStreamEndCapture(Stream* handle, Graph** graph) {
  return call([&](Runtime&) {
    Stream& stream = stream_of(handle);
    required(graph);
    if (!stream.is_captured() || !stream.began_capture) throw Status::stream_capture_unmatched;
    stream.capture->is_captured = false;
    give(graph, std::move(*stream.capture));
    stream.began_capture = false;
  });
}

AGPUSIM_CUDART Status cudaGraphCreate(Graph** graph, std::uint32_t /*flags*/) {
  return call([&](Runtime&) { give(graph, Graph{}); });
}

AGPUSIM_CUDART Status cudaGraphClone(Graph** clone, Graph* graph) {
  return call([&](Runtime&) { give(clone, Graph{*object_of(graph, Status::invalid_value)}); });
}

AGPUSIM_CUDART Status cudaGraphDestroy(Graph* graph) {
  return destroy(graph, Status::invalid_value);
}

AGPUSIM_CUDART Status cudaGraphInstantiate(GraphExec** exec, Graph* graph,
                                           unsigned long long /*flags*/) {
  return call(
      [&](Runtime&) { give(exec, GraphExec{sorted(*object_of(graph, Status::invalid_value))}); });
}

AGPUSIM_CUDART Status cudaGraphInstantiateWithFlags(GraphExec** exec, Graph* graph,
                                                    unsigned long long flags) {
  return cudaGraphInstantiate(exec, graph, flags);
}

AGPUSIM_CUDART Status cudaGraphExecDestroy(GraphExec* exec) {
  return destroy(exec, Status::invalid_value);
}

AGPUSIM_CUDART Status cudaGraphLaunch(GraphExec* handle, Stream* stream) {
  return call([&](Runtime& runtime) {
    const auto exec = object_of(handle, Status::invalid_value);
    for (const Graph::Node& node : exec->graph.nodes) {
      const Status status = submit(stream, node.work, node.of_host);
      if (status != Status::success || runtime.fault != Status::success) return status;
    }
    return Status::success;
  });
}

}  // namespace agpusim::cudart
