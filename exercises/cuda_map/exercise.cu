// exercise cuda_map (CUDA): a thread for each element.
//
// out[i] = in[i] + 10 for every i in 0..n-1.
//
// The host launches exactly one thread for each element: CTAs (blocks) of 256 threads where n is a
// multiple of 256, else one thread each. Words wrap at 2^32.
//
//   agpusim exercise grade cuda_map.cu

__global__ void map(const unsigned* in, unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;  // number of this thread
  // YOUR CODE
}
