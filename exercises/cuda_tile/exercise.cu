// exercise cuda_tile (CUDA): tiles that are read once and used 16 times.
//
// out = a·b for matrices of m x m words, row after row, modulo 2^32. m need be no multiple of 16.
//
//   tile<<<dim3(ceil(m/16), ceil(m/16)), dim3(16, 16)>>>(a, b, out, m)
//
// The kernel below is right and slow: each thread reads a row of a and a column of b. Let the CTA
// put a tile of 16 x 16 words of a and one of b into shared memory, add the products of these, and
// go on to the next tiles: along the rows of a, down the columns of b. Words beyond the matrices
// count as 0. All threads come to each barrier, and a round has two. Must be met, of W =
// 8·ceil(m/16)^2 warps: Q <= W·(8·ceil(m/16) + 4) blocks; no bank conflict. T is at most 1.5 times
// what the solution takes, and 64 more.
//
//   agpusim exercise grade cuda_tile.cu

__global__ void tile(const unsigned* a, const unsigned* b, unsigned* out, int m) {
  const int r = blockIdx.y * 16 + threadIdx.y;
  const int c = blockIdx.x * 16 + threadIdx.x;
  if (r >= m || c >= m) return;
  unsigned sum = 0;
  for (int k = 0; k < m; ++k) sum += a[r * m + k] * b[k * m + c];
  out[r * m + c] = sum;
}
