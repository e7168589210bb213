// exercise cuda_fuse (CUDA): two passes over memory become one.
//
// out[i] = max(3·a[i] + 5, b[i]) for all n words, products and sums modulo 2^32. However large n
// is, 4 CTAs of 256 threads are launched.
//
//   fuse<<<4, 256>>>(a, b, out, n)
//
// The kernel below is right and slow: its second loop reads what its first one has written. Read
// each word of a and b once, and write each of out once. Must be met: Q <= 4·ceil(n/32) +
// 4·ceil(n/1024) blocks (b need not begin at a block, and a warp in which some threads have one
// word more may take its blocks twice). T is at most 1.5 times what the solution takes, and 64
// more.
//
//   agpusim exercise grade cuda_fuse.cu

__global__ void fuse(const unsigned* a, const unsigned* b, unsigned* out, int n) {
  const int first = blockIdx.x * 256 + threadIdx.x;
  const int threads = gridDim.x * 256;
  for (int i = first; i < n; i += threads) out[i] = 3 * a[i] + 5;
  for (int i = first; i < n; i += threads) out[i] = max(out[i], b[i]);
}
