#include <array>
#include <vector>

#include "agpusim/cudart/abi.hpp"
#include "agpusim/tests/cudart/program/cuda.hpp"
#include "agpusim/tests/cudart/program/expect.hpp"
#include "agpusim/tests/cudart/program/programs.hpp"

namespace agpusim::test {

/// Nodes that are added last to first run in the order of their dependencies.
void graph_nodes(const void* sum) {
  const std::vector<int> ones(1000, 1);
  void* in = nullptr;
  void* out = nullptr;
  EXPECT(cudaMalloc(&in, 4000) == success && cudaMalloc(&out, 4) == success);
  EXPECT(cudaMemcpy(in, ones.data(), 4000, host_to_device) == success);
  int n = 10;
  static int result = -1;
  static std::vector<int> seen;
  Handle graph = nullptr, clone = nullptr, exec = nullptr, node[6] = {};
  std::array<void*, 3> arguments = {&in, &out, &n};
  const cudart::KernelNode kernel = {sum, {4}, {64}, 256, arguments.data()};
  const cudart::HostNode host = {[](void*) { seen.push_back(result); }};
  cudart::MemsetNode fill = {out, 0, 1000, 3, 1, 1};
  EXPECT(cudaGraphCreate(&graph, 0) == success);
  EXPECT(cudaGraphAddHostNode(&node[0], graph, nullptr, 0, &host) == success);
  EXPECT(cudaGraphAddMemcpyNode1D(&node[1], graph, nullptr, 0, &result, out, 4, device_to_host) ==
         success);
  EXPECT(cudaGraphAddKernelNode(&node[2], graph, nullptr, 0, &kernel) == success);
  EXPECT(cudaGraphAddMemsetNode(&node[3], graph, nullptr, 0, &fill) == invalid_value);
  fill.element_bytes = 4;
  EXPECT(cudaGraphAddMemsetNode(&node[3], graph, nullptr, 0, &fill) == success);
  EXPECT(cudaGraphAddEmptyNode(&node[4], graph, nullptr, 0) == success);
  EXPECT(cudaGraphAddEmptyNode(&node[5], graph, &graph, 1) == invalid_value);
  const std::array<Handle, 4> from = {node[1], node[2], node[3], node[4]};
  EXPECT(cudaGraphAddDependencies(graph, from.data(), node, nullptr, 4) == success);
  std::size_t count = 6;
  EXPECT(cudaGraphGetRootNodes(graph, node, &count) == success);
  EXPECT(count == 1 && node[0] == from[3] && node[1] == nullptr);
  EXPECT(cudaGraphGetNodes(graph, nullptr, &count) == success && count == 5);
  EXPECT(cudaGraphClone(&clone, graph) == success);
  EXPECT(cudaGraphAddDependencies(clone, from.data(), &from[3], nullptr, 1) == success);
  EXPECT(cudaGraphInstantiate(&exec, clone, 0) == invalid_value);  // a circle
  EXPECT(cudaGraphInstantiate(&exec, graph, 0) == success);
  n = 20;  // too late
  EXPECT(cudaGraphLaunch(exec, nullptr) == success);
  EXPECT(cudaGraphExecKernelNodeSetParams(exec, from[1], &kernel) == success);
  EXPECT(cudaGraphExecKernelNodeSetParams(exec, graph, &kernel) == invalid_value);
  EXPECT(cudaGraphLaunch(exec, nullptr) == success);
  EXPECT(cudaDeviceSynchronize() == success);
  EXPECT((seen == std::vector{1010, 1020}));
}

}  // namespace agpusim::test
