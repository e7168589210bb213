#include "agpusim/tests/ptx/defects/twins.cuh"

// run: grid=1 block=32 shared=0 args=in:u32:32,out:u32:32:zeros
TWINS(scatter, (const unsigned* in, unsigned* out), (in, out)) {
  const unsigned i = threadIdx.x;
  out[in[i] % (mended ? 32 : 8)] = i;  // finding: write_conflict
}

// run: grid=1 block=32 shared=0 args=in:u32:32,out:u32:1:zeros
TWINS(shared_winner, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned winner;
  const unsigned t = threadIdx.x;
  if (t == 0) winner = 0;
  __syncwarp();
  const unsigned votes = __ballot_sync(0xffffffffu, in[t] % 5 == 3);
  if (mended ? t == __ffs(votes) - 1 : votes >> t & 1) winner = t;  // finding: write_conflict
  __syncwarp();
  if (t == 0) out[0] = winner;
}

// run: grid=1 block=32 shared=0 args=in:u32:32,found:u32:1:zeros,20
TWINS(search_result, (const unsigned* in, unsigned* found, unsigned limit), (in, found, limit)) {
  const unsigned i = threadIdx.x;
  if (mended && in[i] > limit) atomicMax(found, i);
  if (!mended && in[i] > limit) found[0] = i;  // finding: write_conflict
}

// run: grid=1 block=8x4 shared=0 args=in:f32:32,out:f32:32:zeros,8
TWINS(row_of_matrix, (const float* in, float* out, unsigned width), (in, out, width)) {
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const unsigned i = x * 4 + (mended ? y : 0);
  out[i] = in[y * width + x];  // finding: write_conflict
}
