// dmlc/xgboost#3680: host allocation.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void evaluate_splits(const int* gain, int* best) {
  int m = gain[blockIdx.x * 32 + threadIdx.x];
  for (int k = 16; k; k /= 2) m = max(m, __shfl_xor_sync(~0u, m, k));
  if (threadIdx.x == 0) best[blockIdx.x] = m;
}
int main() {
  int *gain = device_array<int>(64 * 32, 4096), *d = device_array<int>(64, 1);
  for (int k = 0; k < 16; ++k) {
    evaluate_splits<<<64, 32>>>(gain, d);
#if AFTER
    int* best;
    check(cudaMallocHost(&best, 64 * sizeof(int)));
    check(cudaMemcpy(best, d, 64 * sizeof(int), cudaMemcpyDeviceToHost));
    check(cudaFreeHost(best));
#else
    std::vector<int> best(64);
    check(cudaMemcpy(best.data(), d, 64 * sizeof(int), cudaMemcpyDeviceToHost));
#endif
  }
  result(d, 64);
}
