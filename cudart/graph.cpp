#include <utility>

#include "agpusim/cudart/stream.hpp"

namespace agpusim::cudart {

/// cudaGraphExec_t
struct GraphExec {
  Graph graph;
};

AGPUSIM_CUDART Status cudaStreamEndCapture(Stream* handle, Graph** graph) {
  return call([&](Runtime&) {
    Stream& stream = stream_of(handle);
    required(graph);
    if (!stream.is_captured() || !stream.began_capture) return Status::stream_capture_unmatched;
    stream.capture->is_captured = false;
    give(graph, std::move(*stream.capture));
    stream.began_capture = false;
    return Status::success;
  });
}

AGPUSIM_CUDART Status cudaGraphCreate(Graph** graph, std::uint32_t /*flags*/) {
  return call([&](Runtime&) {
    give(graph, Graph{});
    return Status::success;
  });
}

AGPUSIM_CUDART Status cudaGraphDestroy(Graph* graph) {
  return destroy(graph, Status::invalid_value);
}

AGPUSIM_CUDART Status cudaGraphInstantiate(GraphExec** exec, Graph* graph,
                                           unsigned long long /*flags*/) {
  return call([&](Runtime&) {
    give(exec, GraphExec{*object_of(graph, Status::invalid_value)});
    return Status::success;
  });
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
    for (const Graph::Node& node : exec->graph.works) {
      const Status status = submit(stream, node.work, node.of_host);
      if (status != Status::success || runtime.fault != Status::success) return status;
    }
    return Status::success;
  });
}

}  // namespace agpusim::cudart
