// exercise cuda_guard (CUDA): more threads than elements.
//
// out[i] = in[i] + 10 for all n words, modulo 2^32. CTAs have 256 threads, and n need be no
// multiple of 256, so that some threads have no element. These must touch nothing.
//
//   guard<<<ceil(n/256), 256>>>(in, out, n)
//
// Must be met: Q = 2·ceil(n/32) blocks; T <= 200·ceil(n/1024), which is 25 for each warp of a
// multiprocessor, of which there are four.
//
//   agpusim exercise grade cuda_guard.cu

__global__ void guard(const unsigned* in, unsigned* out, int n) {
  // YOUR CODE: as in cuda_zip, but only where the thread has an element
}
