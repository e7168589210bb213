// Nodes that the program adds to a graph itself: what a stream that is captured would add.
#include <algorithm>
#include <utility>

#include "agpusim/cudart/copy.hpp"
#include "agpusim/cudart/launch.hpp"
#include "agpusim/cudart/stream.hpp"

namespace agpusim::cudart {

AGPUSIM_CUDART Status cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, CopyKind kind,
                                      Stream* stream);
AGPUSIM_CUDART Status cudaMemcpy3DAsync(const Copy3* what, Stream* stream);
AGPUSIM_CUDART Status cudaLaunchHostFunc(Stream* stream, void (*function)(void*), void* data);

namespace {

using Node = Graph::Node;

/// Adds a dependency. Throws Status where the node has it, or is behind itself.
void run_behind(Node& node, const Node& before) {
  GraphNode* const one = before.handle.get();
  const bool is_known = std::find(node.after.begin(), node.after.end(), one) != node.after.end();
  if (is_known || node.handle.get() == one) throw Status::invalid_value;
  node.after.push_back(one);
}

/// The node of a handle. Throws Status where the graph has none.
Node& node_of(Graph& graph, const GraphNode* handle) {
  const auto found = std::find_if(graph.nodes.begin(), graph.nodes.end(),
                                  [&](const Node& node) { return node.handle.get() == handle; });
  if (found == graph.nodes.end()) throw Status::invalid_value;
  return *found;
}

/// Makes a node of what `ask` asks a stream for; one that does nothing where that is no work.
template <class Ask>
Status capture(Node& node, const Ask& ask) {
  const auto graph = std::make_shared<Graph>();
  Stream* stream = nullptr;
  Status status = call([&](Runtime&) {
    stream = handle_of(Stream{});
    stream->capture = graph;
  });
  graph->is_captured = true;
  if (status != Status::success) return status;
  status = ask(stream);
  destroy(stream);
  node.work = [] { return Status::success; };
  if (!graph->nodes.empty()) node = graph->nodes.front();
  return status;
}

template <class Ask>
Status add(GraphNode** handle, Graph* graph, GraphNode* const* after, std::size_t count,
           const Ask& ask) {
  Node node;
  const Status status = capture(node, ask);
  if (status != Status::success) return status;
  return call([&](Runtime&) {
    Graph& to = *object_of(graph, Status::invalid_value);
    for (std::size_t i = 0; i < count; ++i) {
      run_behind(node, node_of(to, required(after + i)));
    }
    required(handle) = node.handle.get();
    to.nodes.push_back(std::move(node));
  });
}

/// Asks a stream to launch the kernel of these parameters.
auto launch_of(const KernelNode* kernel) {
  return [=](Stream* stream) {
    if (kernel == nullptr || kernel->extra != nullptr) return remember(Status::invalid_value);
    return launch_as(kernel->function,
                     {kernel->grid, kernel->block, kernel->dynamic_shared, stream},
                     {kernel->parameters});
  };
}

/// Tells the first nodes for which that holds, and null behind the last; or how many there are.
template <class Holds>
Status tell(Graph* graph, GraphNode** where, std::size_t* count, const Holds& holds) {
  return call([&](Runtime&) {
    std::vector<GraphNode*> found;
    for (const Node& node : object_of(graph, Status::invalid_value)->nodes) {
      if (holds(node)) found.push_back(node.handle.get());
    }
    if (where == nullptr) {
      required(count) = found.size();
      return;
    }
    const std::size_t told = std::min(found.size(), required(count));
    std::copy_n(found.begin(), told, where);
    std::fill(where + told, where + *count, nullptr);
    *count = told;
  });
}

}  // namespace

AGPUSIM_CUDART Status cudaGraphAddKernelNode(GraphNode** node, Graph* graph,
                                             GraphNode* const* after, std::size_t count,
                                             const KernelNode* kernel) {
  return add(node, graph, after, count, launch_of(kernel));
}

AGPUSIM_CUDART Status cudaGraphAddMemcpyNode(GraphNode** node, Graph* graph,
                                             GraphNode* const* after, std::size_t count,
                                             const Copy3* copy) {
  return add(node, graph, after, count,
             [&](Stream* stream) { return cudaMemcpy3DAsync(copy, stream); });
}

AGPUSIM_CUDART Status cudaGraphAddMemcpyNode1D(GraphNode** node, Graph* graph,
                                               GraphNode* const* after, std::size_t count, void* to,
                                               const void* from, std::size_t bytes, CopyKind kind) {
  return add(node, graph, after, count,
             [&](Stream* stream) { return cudaMemcpyAsync(to, from, bytes, kind, stream); });
}

AGPUSIM_CUDART Status cudaGraphAddMemsetNode(GraphNode** node, Graph* graph,
                                             GraphNode* const* after, std::size_t count,
                                             const MemsetNode* fill) {
  return add(node, graph, after, count, [&](Stream* stream) {
    if (fill == nullptr) return remember(Status::invalid_value);
    return fill_rows(stream, fill->begin, fill->pitch, {fill->value, fill->element_bytes},
                     fill->width, fill->height);
  });
}

AGPUSIM_CUDART Status cudaGraphAddHostNode(GraphNode** node, Graph* graph, GraphNode* const* after,
                                           std::size_t count, const HostNode* host) {
  return add(node, graph, after, count, [&](Stream* stream) {
    if (host == nullptr) return remember(Status::invalid_value);
    return cudaLaunchHostFunc(stream, host->function, host->data);
  });
}

AGPUSIM_CUDART Status cudaGraphAddEmptyNode(GraphNode** node, Graph* graph, GraphNode* const* after,
                                            std::size_t count) {
  return add(node, graph, after, count, [](Stream*) { return Status::success; });
}

AGPUSIM_CUDART Status cudaGraphAddDependencies(Graph* graph, GraphNode* const* from,
                                               GraphNode* const* to, const void* /*data*/,
                                               std::size_t count) {
  return call([&](Runtime&) {
    Graph& held = *object_of(graph, Status::invalid_value);
    for (std::size_t i = 0; i < count; ++i) {
      run_behind(node_of(held, required(to + i)), node_of(held, required(from + i)));
    }
  });
}

AGPUSIM_ALSO(cudaGraphAddDependencies_v2, cudaGraphAddDependencies)

AGPUSIM_CUDART Status cudaGraphGetNodes(Graph* graph, GraphNode** nodes, std::size_t* count) {
  return tell(graph, nodes, count, [](const Node&) { return true; });
}

AGPUSIM_CUDART Status cudaGraphGetRootNodes(Graph* graph, GraphNode** nodes, std::size_t* count) {
  return tell(graph, nodes, count, [](const Node& node) { return node.after.empty(); });
}

AGPUSIM_CUDART Status cudaGraphExecKernelNodeSetParams(GraphExec* exec, const GraphNode* handle,
                                                       const KernelNode* kernel) {
  Node node;
  const Status status = capture(node, launch_of(kernel));
  if (status != Status::success) return status;
  return call([&](Runtime&) {
    node_of(object_of(exec, Status::invalid_value)->graph, handle).work = node.work;
  });
}

}  // namespace agpusim::cudart
