// exercise cuda_axis_sum (CUDA): one sum for each row.
//
// in is a matrix, row after row: element (r, c) is word r·columns + c. out[r] = the sum of row r,
// modulo 2^32. A CTA for each row is launched, which may have more or fewer words than the CTA has
// threads.
//
//   axis_sum<<<rows, 128>>>(in, out, columns)
//
// Each thread adds up every 128th word of the row; then the threads of the CTA add up their sums in
// shared memory, as in cuda_dot. Must be met: Q <= rows·(2·ceil(columns/32) + ceil(columns/128) +
// 1) blocks (a row need not begin at a block); no atomic (contention 0); no bank conflict; T <=
// ceil(rows/4)·(320 + 60·ceil(columns/128)), of each warp of a multiprocessor, of which there are
// four, 80 and 15 for each round.
//
//   agpusim exercise grade cuda_axis_sum.cu

__global__ void axis_sum(const unsigned* in, unsigned* out, int columns) {
  __shared__ unsigned sums[128];
  // YOUR CODE
}
