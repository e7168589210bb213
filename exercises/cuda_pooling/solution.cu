// solution of cuda_pooling
__global__ void pooling(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned tile[2 + 256];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 256 + t;
  if (i < n) tile[2 + t] = in[i];
  if (t < 2) tile[t] = i >= 2 ? in[i - 2] : 0;
  __syncthreads();
  if (i < n) out[i] = tile[t] + tile[t + 1] + tile[t + 2];
}
