// exercise cuda_convolution (CUDA): a filter, and words of the next tile.
//
// out[i] = filter[0]·in[i] + filter[1]·in[i+1] + filter[2]·in[i+2] + filter[3]·in[i+3] for i = 0,
// ..., n - 1, modulo 2^32; words behind in[n-1] count as 0.
//
//   convolution<<<ceil(n/256), 256>>>(in, filter, out, n)
//
// Keep the words of a CTA, the three behind them (the halo) and the filter in shared memory. Must
// be met: Q <= 2·ceil(n/32) + 7·ceil(n/256) blocks, for each CTA reads three words of the halo and
// four of the filter; no bank conflict. T is at most 1.5 times what the solution takes, and 64
// more.
//
//   agpusim exercise grade cuda_convolution.cu

__global__ void convolution(const unsigned* in, const unsigned* filter, unsigned* out, int n) {
  __shared__ unsigned tile[256 + 3];  // tile[t] is the word of thread t
  __shared__ unsigned weight[4];
  // YOUR CODE
}
