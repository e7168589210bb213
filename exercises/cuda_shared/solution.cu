// solution of cuda_shared
__global__ void reverse_tiles(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned tile[256];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 256 + t;
  const int count = min(256, n - blockIdx.x * 256);
  if (i < n) tile[t] = in[i];
  __syncthreads();
  if (i < n) out[i] = tile[count - 1 - t];
}
