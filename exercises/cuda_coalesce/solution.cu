// solution of cuda_coalesce
__global__ void coalesce(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned tile[256 * 15];
  const int t = threadIdx.x;
  const int first = blockIdx.x * 256;
  const int count = min(256, n - first);
  for (int k = t; k < 15 * count; k += 256) tile[k] = in[15 * first + k];
  __syncthreads();
  if (t >= count) return;
  unsigned largest = 0;
  for (int k = 0; k < 15; ++k) largest = max(largest, tile[15 * t + k]);
  out[first + t] = largest;
}
