// exercise cuda_shared (CUDA): threads of a CTA exchange words.
//
// Each CTA turns a tile of 256 words around where it lies: in[first], ..., in[first + count - 1]
// become out[first + count - 1], ..., out[first], where first is 256 times the number of the CTA.
// count is 256, in the last CTA what is left of the n words.
//
//   reverse_tiles<<<ceil(n/256), 256>>>(in, out, n)
//
// Every thread puts its word into shared memory, waits for all others, takes the word of another,
// and writes it where it has read. Then both accesses to global memory begin at a block. What is
// read of the tile must have been written, with __syncthreads() in between, to which all threads of
// the CTA come. Must be met: Q = 2·ceil(n/32) blocks, no bank conflict. T is at most 1.5 times what
// the solution takes, and 64 more.
//
//   agpusim exercise grade cuda_shared.cu

__global__ void reverse_tiles(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned tile[256];
  // YOUR CODE
}
