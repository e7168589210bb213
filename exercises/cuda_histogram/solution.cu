// solution of cuda_histogram
__global__ void histogram(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned counts[256];
  const int t = threadIdx.x;
  counts[t] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) atomicAdd(&counts[in[i]], 1u);
  __syncthreads();
  if (counts[t] > 0) atomicAdd(&out[t], counts[t]);
}
