// exercise cuda_prefix_sum (CUDA): prefix sums of more words than a CTA has threads.
//
// out[i] = in[0] + in[1] + ... + in[i] for all n words, modulo 2^32, n <= 256·256. Three launches,
// with m = ceil(n/256):
//
//   scan<<<m, 256>>>(in, out, sums, n)
//   scan<<<1, 256>>>(sums, sums, total, m)
//   add<<<m, 256>>>(sums, out, n)
//
// scan leaves the prefix sums of each tile of 256 words, as if the array began with it, and the sum
// of tile k in sums[k]. The second launch makes prefix sums of these. add adds to each tile what is
// before it.
//
// Within a CTA, thread t adds the word `far` places before its own in rounds far = 1, 2, 4, ...,
// 128. In a round some read what others write: two tiles take turns, with a barrier in between.
// Must be met: Q <= 5·ceil(n/32) + m + 2·ceil(m/32) + 1 blocks; no bank conflict; T <=
// 1,200·(ceil(m/4) + 1), which is 150 for each warp of a multiprocessor, of which there are four.
//
//   agpusim exercise grade cuda_prefix_sum.cu

__global__ void scan(const unsigned* in, unsigned* out, unsigned* sums, int n) {
  __shared__ unsigned tile[2][256];
  // YOUR CODE: the second launch reads and writes the same array; the last thread of a CTA has its
  // sum, also where n ends before, if words beyond n count as 0
}

__global__ void add(const unsigned* sums, unsigned* out, int n) {
  // YOUR CODE: nothing is before the first tile
}
