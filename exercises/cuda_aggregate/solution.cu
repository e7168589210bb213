// solution of cuda_aggregate
__global__ void aggregate(const unsigned* in, unsigned* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  const int odd = __syncthreads_count(i < n && in[i] % 2 == 1);
  if (threadIdx.x == 0) atomicAdd(out, odd);
}
