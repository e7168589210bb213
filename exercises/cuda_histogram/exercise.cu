// exercise cuda_histogram (CUDA): counters in shared memory.
//
// out[v] = how many of the n words of in are v, for v = 0, ..., 255; no word is larger, and out is
// 0 at first. However large n is, 4 CTAs of 256 threads are launched.
//
//   histogram<<<4, 256>>>(in, out, n)
//
// An atomicAdd to out for each word is right, and slow: all threads wait at the same 256 words.
// Count in 256 counters of the CTA in shared memory, by atomicAdd, and then add these to out. Must
// be met: contention <= 4 (each CTA adds to a word of out once); Q <= ceil(n/32) + ceil(n/1024) +
// 32 blocks; T <= 480·(1 + ceil(n/1024)), which is 60 for each warp and round.
//
//   agpusim exercise grade cuda_histogram.cu

__global__ void histogram(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned counts[256];
  // YOUR CODE: atomicAdd(&counts[v], 1u); nothing is in shared memory before it was written
}
