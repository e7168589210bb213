// solution of cuda_blocks
__global__ void blocks(const unsigned* in, unsigned* out, int n) {
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) out[i] = 3 * in[i] + 1;
}
