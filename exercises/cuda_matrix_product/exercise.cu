// exercise cuda_matrix_product (CUDA): an element of the product for each thread.
//
// out = a·b for matrices of m x m words, row after row: out(r, c) = the sum of a(r, k)·b(k, c) over
// k = 0, ..., m - 1, modulo 2^32, where (r, c) is word r·m + c. m need be no multiple of 16.
//
//   product<<<dim3(ceil(m/16), ceil(m/16)), dim3(16, 16)>>>(a, b, out, m)
//
// A warp is the 16 threads of one y and the 16 of the next. If x chooses the column of out and y
// the row, a warp reads two words of a and 16 neighbours of b in each round. Must be met, of W =
// 8·ceil(m/16)^2 warps: Q <= W·(4·m + 4) blocks. T is at most 1.5 times what the solution takes,
// and 64 more.
//
//   agpusim exercise grade cuda_matrix_product.cu

__global__ void product(const unsigned* a, const unsigned* b, unsigned* out, int m) {
  // YOUR CODE
}
