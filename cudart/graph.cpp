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
    *graph = new Graph(std::move(*stream.capture));
    stream.began_capture = false;
    return Status::success;
  });
}

AGPUSIM_CUDART Status cudaGraphCreate(Graph** graph, std::uint32_t /*flags*/) {
  *graph = new Graph;
  return Status::success;
}

AGPUSIM_CUDART Status cudaGraphDestroy(Graph* graph) {
  delete graph;
  return Status::success;
}

AGPUSIM_CUDART Status cudaGraphInstantiate(GraphExec** exec, Graph* graph,
                                           unsigned long long /*flags*/) {
  return call([&](Runtime&) {
    if (graph == nullptr) return Status::invalid_value;
    *exec = new GraphExec{*graph};
    return Status::success;
  });
}

AGPUSIM_CUDART Status cudaGraphInstantiateWithFlags(GraphExec** exec, Graph* graph,
                                                    unsigned long long flags) {
  return cudaGraphInstantiate(exec, graph, flags);
}

AGPUSIM_CUDART Status cudaGraphExecDestroy(GraphExec* exec) {
  delete exec;
  return Status::success;
}

AGPUSIM_CUDART Status cudaGraphLaunch(GraphExec* exec, Stream* stream) {
  return call([&](Runtime&) {
    if (exec == nullptr) return Status::invalid_value;
    return submit(stream, [exec] {
      for (const Work& work : exec->graph.works) {
        const Status status = work();
        if (status != Status::success) return status;
      }
      return Status::success;
    });
  });
}

}  // namespace agpusim::cudart
