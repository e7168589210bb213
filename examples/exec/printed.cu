// Kernels of Kozakai 2022 (docs/theory.md#seed000), as printed, on one histogram: figures 1, 2
// and 4.
#include <cstdio>
#include <type_traits>
#include <vector>

__global__ void incCnt(int n, int* a, int* cnt, int minVal) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  int pos = a[i] - minVal;
  __syncthreads();
  atomicAdd(&cnt[pos], 1);
}

__global__ void OneHPTail(int minVal, int maxVal, int* Ap, int* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > maxVal - minVal) return;

  if (i == 0) {
    if (Ap[0]) y[0] = minVal;
  } else if (Ap[i - 1] != Ap[i])
    y[Ap[i - 1]] = minVal + i;
}

__global__ void compressA01p(int minVal, int maxVal, int* A, int* A01p, int* C, int* iC) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= maxVal - minVal) return;

  if (A[i]) {
    int x = A01p[i];
    int y = A[i];
    __syncthreads();
    C[x] = y;
    iC[x] = minVal + i;
  }
}

// Figure 1 launches incCnt<<<...>>>(num, data, hist), which does not compile.
static_assert(!std::is_invocable_v<decltype(incCnt), int, int*, int*>);

int main() {
  constexpr int n = 1000;
  constexpr int range = 2 * n;
  std::vector<int> x(n), ap(range), sorted(n);
  for (int i = 0; i < n; ++i) x[i] = 2 * (i * 7 % n) + 1;  // odd numbers, each once
  int *keys, *a, *prefix, *c, *ic, *y;
  cudaMalloc(&keys, n * sizeof(int));
  cudaMalloc(&a, range * sizeof(int));
  cudaMalloc(&prefix, range * sizeof(int));
  cudaMalloc(&c, (n + 1) * sizeof(int));
  cudaMalloc(&ic, (n + 1) * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  cudaMemcpy(keys, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(a, 0, range * sizeof(int));
  incCnt<<<(n + 255) / 256, 256>>>(n, keys, a, 0);
  cudaMemcpy(ap.data(), a, range * sizeof(int), cudaMemcpyDeviceToHost);
  for (int v = 1; v < range; ++v) ap[v] += ap[v - 1];  // keys occur once: this is A01p, too
  cudaMemcpy(prefix, ap.data(), range * sizeof(int), cudaMemcpyHostToDevice);
  compressA01p<<<(range + 255) / 256, 256>>>(0, range, a, prefix, c, ic);
  OneHPTail<<<(range + 255) / 256, 256>>>(0, range, prefix, y);
  cudaMemcpy(sorted.data(), y, n * sizeof(int), cudaMemcpyDeviceToHost);
  int right = 0;
  for (int i = 0; i < n; ++i) right += sorted[i] == 2 * i + 1;
  std::printf("%d of %d keys in their places\n", right, n);
}
