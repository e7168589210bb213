// solution of cuda_axis_sum
__global__ void axis_sum(const unsigned* in, unsigned* out, int columns) {
  __shared__ unsigned sums[128];
  const int t = threadIdx.x;
  const unsigned* const row = in + blockIdx.x * columns;
  unsigned sum = 0;
  for (int c = t; c < columns; c += 128) sum += row[c];
  sums[t] = sum;
  for (int half = 64; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) sums[t] += sums[t + half];
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
