// exercise cuda_division (CUDA): divisions out of the inner loop.
//
// in is an array of a x b x c rows of d words, d a multiple of 32. The first and the third axis
// change places: out(k, j, i, l) = in(i, j, k, l), where (i, j, k, l) of in is word ((i·b + j)·c +
// k)·d + l, and (k, j, i, l) of out is word ((k·b + j)·a + i)·d + l. However large the array is, 4
// CTAs of 256 threads are launched.
//
//   division<<<4, 256>>>(in, out, a, b, c, d)
//
// The kernel below is right and slow: each thread computes i, j, k and l anew for each of its
// words. Let each of the 32 warps take whole rows, compute where a row goes before it begins, and
// move its words 32 at a time. Must be met, for n = a·b·c·d words in R = a·b·c rows: instructions
// <= 6·n/32 + 40·(R + 32), six for each 32 words and forty for each row and each warp; T at most
// half of that; Q = 2·n/32 blocks.
//
//   agpusim exercise grade cuda_division.cu

__global__ void division(const unsigned* in, unsigned* out, int a, int b, int c, int d) {
  const int threads = gridDim.x * 256;
  for (int word = blockIdx.x * 256 + threadIdx.x; word < a * b * c * d; word += threads) {
    const int i = word / (b * c * d);
    const int j = word / (c * d) % b;
    const int k = word / d % c;
    const int l = word % d;
    out[((k * b + j) * a + i) * d + l] = in[word];
  }
}
