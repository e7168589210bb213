// exercise cuda_map (CUDA): one thread for each element.
//
// out[i] = in[i] + 10 for all n words, modulo 2^32. One CTA (CUDA's thread block) of n threads is
// launched, n <= 1024: as many threads as elements.
//
//   map<<<1, n>>>(in, out)
//
// A CTA runs in warps of 32 threads. What a warp reads or writes at once moves the blocks of 32
// words (128 bytes) in which it lies: one for 32 neighbours, 32 for words far apart. Q counts
// blocks. T is the time of the slowest multiprocessor: a unit for each instruction of a warp and
// each block. Must be met: Q = 2·ceil(n/32), T <= 20·ceil(n/32).
//
//   agpusim exercise grade cuda_map.cu

__global__ void map(const unsigned* in, unsigned* out) {
  // YOUR CODE: threadIdx.x is the number of the thread, 0, 1, ..., n - 1
}
