// solution of cuda_dot
__global__ void dot(const unsigned* a, const unsigned* b, unsigned* out, int n) {
  __shared__ unsigned sums[256];
  const int t = threadIdx.x;
  unsigned sum = 0;
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) sum += a[i] * b[i];
  sums[t] = sum;
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) sums[t] += sums[t + half];
  }
  if (t == 0) atomicAdd(out, sums[0]);
}
