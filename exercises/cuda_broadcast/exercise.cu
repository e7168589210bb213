// exercise cuda_broadcast (CUDA): a matrix of two vectors.
//
// out(r, c) = down[r] + across[c], modulo 2^32, for a matrix of rows x columns words: (r, c) is
// word r·columns + c of out. down has `rows` words, across `columns`. CTAs have 32 x 8 threads,
// with threads to spare at both ends.
//
//   broadcast<<<dim3(ceil(columns/32), ceil(rows/8)), dim3(32, 8)>>>
//       (down, across, out, rows, columns)
//
// A word that all threads of a warp read moves one block. Must be met: Q <=
// 5·rows·ceil(columns/32), of each warp one block of down, two of across and two of out. T is at
// most 1.5 times what the solution takes, and 64 more.
//
//   agpusim exercise grade cuda_broadcast.cu

__global__ void broadcast(const unsigned* down, const unsigned* across, unsigned* out, int rows,
                          int columns) {
  // YOUR CODE
}
