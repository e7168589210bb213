// exercise cuda_coalesce (CUDA): an array of structures.
//
// in holds n records of 15 words, one after the other; out[i] is the largest word of record i. n
// need be no multiple of 256.
//
//   coalesce<<<ceil(n/256), 256>>>(in, out, n)
//
// The kernel below is right and slow: the threads of a warp read words that lie 15 apart, so that
// each read moves 15 blocks for 32 words. Let the threads of a CTA read the words of its 256
// records in the order in which they lie, put them into shared memory, and take their records from
// there. Must be met: Q <= ceil(15·n/32) + ceil(n/32) + 15 blocks (where some threads have one word
// more, a warp may take its blocks twice); no bank conflict (15 is odd: in which banks would
// records of 16 words begin?); T <= 1,600·ceil(n/1024), which is 200 for each warp of a
// multiprocessor, of which there are four.
//
//   agpusim exercise grade cuda_coalesce.cu

__global__ void coalesce(const unsigned* in, unsigned* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  unsigned largest = 0;
  for (int k = 0; k < 15; ++k) largest = max(largest, in[15 * i + k]);
  out[i] = largest;
}
