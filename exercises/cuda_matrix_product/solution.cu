// solution of cuda_matrix_product
__global__ void product(const unsigned* a, const unsigned* b, unsigned* out, int m) {
  const int r = blockIdx.y * 16 + threadIdx.y;
  const int c = blockIdx.x * 16 + threadIdx.x;
  if (r >= m || c >= m) return;
  unsigned sum = 0;
  for (int k = 0; k < m; ++k) sum += a[r * m + k] * b[k * m + c];
  out[r * m + c] = sum;
}
