// exercise cuda_dot (CUDA): one sum of all threads.
//
// out[0] = the sum of a[i]·b[i] for i = 0, ..., n - 1, modulo 2^32. out[0] is 0 at first. However
// large n is, 4 CTAs of 256 threads are launched.
//
//   dot<<<4, 256>>>(a, b, out, n)
//
// Each thread adds up its products, every 1,024th. The threads of a CTA add up their sums in shared
// memory, in rounds: 128 threads add the word of another 128, then 64 that of another 64, ..., with
// a barrier between two rounds. One thread of each CTA adds the result to out[0] by atomicAdd. Must
// be met: contention <= 4, an atomic for each CTA; no bank conflict; Q <= 3·ceil(n/32) +
// 3·ceil(n/1024) + 4 blocks (b need not begin at a block); T <= 640 + 160·ceil(n/1024), of each
// warp 80 and 20 for each round.
//
//   agpusim exercise grade cuda_dot.cu

__global__ void dot(const unsigned* a, const unsigned* b, unsigned* out, int n) {
  __shared__ unsigned sums[256];
  // YOUR CODE
}
