// exercise cuda_pad (CUDA): columns of a tile without bank conflicts.
//
// out is the transposed matrix: word c·rows + r of out is word r·columns + c of in.
//
//   pad<<<dim3(ceil(columns/32), ceil(rows/32)), dim3(32, 8)>>>(in, out, rows, columns)
//
// The kernel below is right: it reads rows of a tile of 32 x 32 words and writes rows of the turned
// tile, neighbours both times. It is slow, for word a of shared memory is in bank a mod 32, so that
// all words of a column of the tile are in one bank. Must be met: no bank conflict; Q <=
// 2·rows·ceil(columns/32) + 2·columns·ceil(rows/32) blocks. T is at most 1.5 times what the
// solution takes, and 64 more.
//
//   agpusim exercise grade cuda_pad.cu

__global__ void pad(const unsigned* in, unsigned* out, int rows, int columns) {
  __shared__ unsigned tile[32][32];
  const int top = blockIdx.y * 32;
  const int left = blockIdx.x * 32;
  const int x = threadIdx.x;
  for (int y = threadIdx.y; y < 32; y += 8) {
    if (top + y < rows && left + x < columns) tile[y][x] = in[(top + y) * columns + left + x];
  }
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8) {
    if (left + y < columns && top + x < rows) out[(left + y) * rows + top + x] = tile[x][y];
  }
}
