#ifndef HOST

// run: grid=2 block=128 shared=0 args=in:u32:256:random,counts:u32:2:zeros,out:u32:256:zeros
extern "C" __global__ void stream_compaction(const unsigned* in, unsigned* counts, unsigned* out) {
  __shared__ unsigned totals[4];
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  const unsigned x = in[blockIdx.x * 128 + t];
  const bool keep = x % 3 != 0;
  const unsigned votes = __ballot_sync(0xffffffffu, keep);
  if (lane == 0) totals[warp] = __popc(votes);
  __syncthreads();
  unsigned position = __popc(votes & ((1u << lane) - 1));
  for (unsigned w = 0; w < warp; ++w) position += totals[w];
  if (keep) out[blockIdx.x * 128 + position] = x;
  if (t == 127) counts[blockIdx.x] = position + keep;
}

#else

void stream_compaction_reference(const unsigned* in, unsigned* counts, unsigned* out) {
  for (unsigned i = 0; i < 256; ++i)
    if (in[i] % 3 != 0) out[i / 128 * 128 + counts[i / 128]++] = in[i];
}

#endif
