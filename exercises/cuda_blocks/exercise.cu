// exercise cuda_blocks (CUDA): few CTAs for many elements.
//
// out[i] = 3·in[i] + 1 for all n words, modulo 2^32. However large n is, 4 CTAs of 256 threads are
// launched. Each thread takes an element, and then every 1,024th behind it: in every round
// neighbouring threads have neighbouring elements.
//
//   blocks<<<4, 256>>>(in, out, n)
//
// Must be met: Q <= 2·ceil(n/32) + 2·ceil(n/1024) blocks (a warp in which some threads have one
// element more may take its blocks twice), and all four CTAs work. T is at most 1.5 times what the
// solution takes, and 64 more.
//
//   agpusim exercise grade cuda_blocks.cu

__global__ void blocks(const unsigned* in, unsigned* out, int n) {
  // YOUR CODE: gridDim.x is how many CTAs there are
}
