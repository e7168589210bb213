// exercise cuda_map_2d (CUDA): a matrix, and CTAs that are rectangles.
//
// in and out are matrices, row after row: element (r, c) is word r·columns + c. Add the number of
// its row to each: out(r, c) = in(r, c) + r, modulo 2^32. CTAs have 32 x 8 threads: threadIdx.x is
// 0..31, threadIdx.y 0..7. The grid covers columns by x and rows by y, with threads to spare at
// both ends.
//
//   map_2d<<<dim3(ceil(columns/32), ceil(rows/8)), dim3(32, 8)>>>(in, out, rows, columns)
//
// A warp is the 32 threads of one y. Must be met: each warp moves 32 neighbouring words, which lie
// in two blocks at most: Q <= 4·rows·ceil(columns/32). T is at most 1.5 times what the solution
// takes, and 64 more.
//
//   agpusim exercise grade cuda_map_2d.cu

__global__ void map_2d(const unsigned* in, unsigned* out, int rows, int columns) {
  // YOUR CODE: blockIdx, blockDim and threadIdx have x and y
}
