// exercise cuda_aggregate (CUDA): one atomic for many threads.
//
// out[0] = how many of the n words of in are odd; out[0] is 0 at first. n need be no multiple of
// 256.
//
//   aggregate<<<ceil(n/256), 256>>>(in, out, n)
//
// The kernel below is right and slow: each thread with an odd word adds 1 to the same word, and
// they wait for each other. Let the threads of a warp or of a CTA count together, and one of them
// add what they have counted. Must be met: contention <= ceil(n/32), an atomic for each warp at
// most; serialised = 0, no two lanes of a warp add to a word at once; conflicts = 0, nor do they in
// shared memory; Q <= 2·ceil(n/32) blocks; T <= 320·ceil(n/1024), which is 40 for each warp of a
// multiprocessor, of which there are four.
//
//   agpusim exercise grade cuda_aggregate.cu

__global__ void aggregate(const unsigned* in, unsigned* out, int n) {
  // YOUR CODE: __syncthreads_count(condition) is a barrier that tells all threads of the CTA in how
  // many of them the condition holds. All threads come to it.
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n && in[i] % 2 == 1) atomicAdd(out, 1u);
}
