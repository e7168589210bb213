// solution of cuda_fuse
__global__ void fuse(const unsigned* a, const unsigned* b, unsigned* out, int n) {
  const int first = blockIdx.x * 256 + threadIdx.x;
  const int threads = gridDim.x * 256;
  for (int i = first; i < n; i += threads) out[i] = max(3 * a[i] + 5, b[i]);
}
