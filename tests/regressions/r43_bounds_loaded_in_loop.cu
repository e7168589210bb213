// zjin-lcf/HeCBench@7728bfbba0: redundant global loads.
#include "agpusim/tests/regressions/pair.cuh"
struct Node {
  int start, edges;
};
__global__ void bfs_level(const Node* __restrict__ node, const int* __restrict__ edge,
                          const char* __restrict__ visited, char* __restrict__ next,
                          int* __restrict__ cost) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
#if AFTER
  for (int i = node[t].start; i < node[t].edges + node[t].start; ++i) {
#else
  const int start = node[t].start, edges = node[t].edges;
  for (int i = start; i < edges + start; ++i) {
#endif
    const int id = edge[i];
    if (!visited[id]) cost[id] = 1, next[id] = 1;
  }
}
int main() {
  const int n = 1 << 13, m = 8 * n;
  std::vector<int> host(2 * n), edges(m);
  for (int i = 0; i < n; ++i) host[2 * i] = i * 8, host[2 * i + 1] = 4 + i % 5;
  for (int i = 0; i < m; ++i) edges[i] = i * 1237 % m;
  int *node = device_array<int>(2 * n, 1), *edge = device_array<int>(m, 1),
      *cost = device_array<int>(m, 1);
  check(cudaMemcpy(node, host.data(), 2 * n * sizeof(int), cudaMemcpyHostToDevice));
  check(cudaMemcpy(edge, edges.data(), m * sizeof(int), cudaMemcpyHostToDevice));
  bfs_level<<<n / 128, 128>>>(reinterpret_cast<Node*>(node), edge, device_array<char>(m, 2),
                              device_array<char>(m, 1), cost);
  result(cost, m);
}
