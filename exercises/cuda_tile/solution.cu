// solution of cuda_tile
__global__ void tile(const unsigned* a, const unsigned* b, unsigned* out, int m) {
  __shared__ unsigned of_a[16][16];
  __shared__ unsigned of_b[16][16];
  const int y = threadIdx.y;
  const int x = threadIdx.x;
  const int r = blockIdx.y * 16 + y;
  const int c = blockIdx.x * 16 + x;
  unsigned sum = 0;
  for (int first = 0; first < m; first += 16) {
    of_a[y][x] = r < m && first + x < m ? a[r * m + first + x] : 0;
    of_b[y][x] = first + y < m && c < m ? b[(first + y) * m + c] : 0;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += of_a[y][k] * of_b[k][x];
    __syncthreads();
  }
  if (r < m && c < m) out[r * m + c] = sum;
}
