// zjin-lcf/HeCBench@5b5f80206a: redundant cast.
#include "agpusim/tests/regressions/pair.cuh"
__global__ void lif_step(const float* voltage, const float* bias, float* out, int neurons, int n) {
#if AFTER
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#else
  int i = threadIdx.x + blockDim.x * blockIdx.x;
#endif
  if (i < n) {
    int neuron = i % neurons;
#if AFTER
    int item = i / neurons;
#else
    int item = (int)(i / neurons);
#endif
    out[i] = voltage[i] + bias[neuron] * item;
  }
}
int main() {
  float* out = device_array<float>(1 << 14, 1);
  lif_step<<<64, 256>>>(device_array<float>(1 << 14), device_array<float>(96), out, 96, 1 << 14);
  result(out, 1 << 14);
}
