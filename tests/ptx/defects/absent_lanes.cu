#include "agpusim/tests/ptx/defects/twins.cuh"

// run: grid=1 block=32 shared=0 args=in:u32:32,out:u32:1:zeros
TWINS(tree_of_eleven, (const unsigned* in, unsigned* out), (in, out)) {
  const unsigned t = threadIdx.x;
  if (t >= 11) return;
  unsigned most = in[t];
  for (unsigned k = 8; k > 0; k /= 2)
    most = max(most, mended ? __shfl_sync(0x7ffu, most, t + k < 11 ? t + k : t)
                            : __shfl_down_sync(0x7ffu, most, k));  // finding: absent_lane
  if (t == 0) out[0] = most;
}

// run: grid=1 block=32 shared=0 args=in:u32:32,out:u32:32:zeros
TWINS(tree_of_half, (const unsigned* in, unsigned* out), (in, out)) {
  const unsigned t = threadIdx.x;
  if (t >= 16) return;
  unsigned sum = in[t];
  for (unsigned k = 8; k > 0; k /= 2)
    sum += __shfl_down_sync(0xffffu, sum, k);  // finding: absent_lane
  // Lanes 8 to 15 take undefined values; lane 0, which alone stores if mended, takes none of them.
  if (!mended || t == 0) out[t] = sum;
}

// run: grid=1 block=48 shared=0 args=in:u32:48,out:u32:2:zeros
TWINS(short_block, (const unsigned* in, unsigned* out), (in, out)) {
  const unsigned t = threadIdx.x;
  unsigned sum = in[t];
  const unsigned mask = !mended || t < 32 ? 0xffffffffu : 0xffffu;
  for (unsigned k = mended ? 8 : 16; k > 0; k /= 2)
    sum += __shfl_xor_sync(mask, sum, k);  // finding: absent_lane
  if (t % 32 == 0) out[t / 32] = sum;
}

// run: grid=1 block=32 shared=0 args=in:u32:32,out:u32:32:zeros
extern "C" __global__ void branch_on_other_half_defect(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  unsigned value = in[t];
  if (t < 16) {
    value = __shfl_sync(0xffffu, value, t + 16);  // finding: absent_lane
    if (value > 40) value = 40;
  }
  __syncwarp();
  out[t] = value & 1 ? 1 : 2;
}

// run: grid=1 block=32 shared=0 args=in:u32:32,out:u32:32:zeros
extern "C" __global__ void branch_on_other_half_mended(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  unsigned value = in[t];
  const unsigned other = __shfl_sync(0xffffffffu, value, t + 16);
  if (t < 16) value = other > 40 ? 40 : other;
  out[t] = value & 1 ? 1 : 2;
}

// run: grid=1 block=32 shared=0 args=in:u32:32,out:u32:32:zeros
TWINS(ballot_of_odd_lanes, (const unsigned* in, unsigned* out), (in, out)) {
  const unsigned t = threadIdx.x;
  if (t % 2 == 0) {
    out[t] = in[t];
    return;
  }
  out[t] = __ballot_sync(mended ? 0xaaaaaaaau : 0xffffffffu, in[t] > 3);  // finding: wrong_mask
}

// run: grid=1 block=32 shared=0 args=in:u32:32,out:u32:32:zeros
TWINS(ballot_after_return, (const unsigned* in, unsigned* out), (in, out)) {
  const unsigned t = threadIdx.x;
  if (!mended && t >= 20) return;
  const unsigned votes =
      __ballot_sync(0xffffffffu, (!mended || t < 20) && in[t] > 3);  // finding: ended_lanes
  if (t < 20) out[t] = votes;
}
