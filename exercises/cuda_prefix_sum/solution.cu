// solution of cuda_prefix_sum
__global__ void scan(const unsigned* in, unsigned* out, unsigned* sums, int n) {
  __shared__ unsigned tile[2][256];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 256 + t;
  unsigned sum = i < n ? in[i] : 0;
  int from = 0;
  for (int far = 1; far < 256; far *= 2) {
    tile[from][t] = sum;
    __syncthreads();
    if (t >= far) sum += tile[from][t - far];
    from = 1 - from;
  }
  if (i < n) out[i] = sum;
  if (t == 255) sums[blockIdx.x] = sum;
}

__global__ void add(const unsigned* sums, unsigned* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n && blockIdx.x > 0) out[i] += sums[blockIdx.x - 1];
}
