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
    if (!stream.is_captured() || !stream.began_capture) return Status::stream_capture_unmatched;
    stream.capture->is_captured = false;
    *graph = handle_of(std::move(*stream.capture));
    stream.began_capture = false;
    return Status::success;
  });
}

AGPUSIM_CUDART Status cudaGraphCreate(Graph** graph, std::uint32_t /*flags*/) {
  return call([&](Runtime&) {
    *graph = handle_of(Graph{});
    return Status::success;
  });
}

AGPUSIM_CUDART Status cudaGraphDestroy(Graph* graph) {
  return destroy(graph, Status::invalid_value);
}

AGPUSIM_CUDART Status cudaGraphInstantiate(GraphExec** exec, Graph* graph,
                                           unsigned long long /*flags*/) {
  return call([&](Runtime&) {
    *exec = handle_of(GraphExec{*object_of(graph, Status::invalid_value)});
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
    return submit(stream, [exec, &runtime] {
      for (const Work& work : exec->graph.works) {
        const Status status = work();
        if (status != Status::success || runtime.fault != Status::success) return status;
      }
      return Status::success;
    });
  });
}

}  // namespace agpusim::cudart
