// exercise cuda_pooling (CUDA): neighbours that lie in another tile.
//
// out[i] = in[i-2] + in[i-1] + in[i] for all n words, modulo 2^32; words before in[0] count as 0.
//
//   pooling<<<ceil(n/256), 256>>>(in, out, n)
//
// Three reads of neighbours from global memory move five blocks for each warp, as two of them begin
// within a block. Keep the words of a CTA in shared memory, with the two before the first of them.
// Must be met: Q <= 2·ceil(n/32) + 2·ceil(n/256) blocks, for each CTA reads two words beside its
// own; no bank conflict. T is at most 1.5 times what the solution takes, and 64 more.
//
//   agpusim exercise grade cuda_pooling.cu

__global__ void pooling(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned tile[2 + 256];  // tile[2 + t] is the word of thread t
  // YOUR CODE
}
