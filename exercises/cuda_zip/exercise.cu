// exercise cuda_zip (CUDA): two inputs, several CTAs.
//
// out[i] = a[i] - b[i] for i = 0, ..., n - 1, modulo 2^32. n is a multiple of 64, and CTAs have 64
// threads: as many threads as elements.
//
//   zip<<<n / 64, 64>>>(a, b, out)
//
// Must be met: Q = 3·n/32 blocks; T <= 50·ceil(n/256), which is 25 for each warp of a
// multiprocessor, of which there are four.
//
//   agpusim exercise grade cuda_zip.cu

__global__ void zip(const unsigned* a, const unsigned* b, unsigned* out) {
  // YOUR CODE: blockIdx.x is the number of the CTA, blockDim.x how many threads it has, threadIdx.x
  // the number of the thread in its CTA. Which number has the thread among all?
}
