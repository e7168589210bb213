#include "agpusim/tests/ptx/defects/twins.cuh"

// run: grid=1 block=32 shared=0 args=in:u32:32,out:u32:1:zeros
extern "C" __global__ void tree_of_eleven_defect(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  if (t >= 11) return;
  unsigned most = in[t];
  for (unsigned k = 8; k > 0; k /= 2)
    most = max(most, __shfl_down_sync(0x7ffu, most, k));  // finding: absent_lane
  if (t == 0) out[0] = most;
}

// run: grid=1 block=32 shared=0 args=in:u32:32,out:u32:1:zeros
extern "C" __global__ void tree_of_eleven_mended(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  if (t >= 11) return;
  unsigned most = in[t];
  for (unsigned k = 8; k > 0; k /= 2)
    most = max(most, __shfl_sync(0x7ffu, most, t + k < 11 ? t + k : t));
  if (t == 0) out[0] = most;
}

// run: grid=1 block=32 shared=0 args=in:u32:32,out:u32:32:zeros
extern "C" __global__ void tree_of_half_defect(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  if (t >= 16) return;
  unsigned sum = in[t];
  for (unsigned k = 8; k > 0; k /= 2)
    sum += __shfl_down_sync(0xffffu, sum, k);  // finding: absent_lane
  out[t] = sum;
}

// Lanes 8 to 15 take undefined values, and only lane 0 stores its sum, which has none of them.
// run: grid=1 block=32 shared=0 args=in:u32:32,out:u32:32:zeros
extern "C" __global__ void tree_of_half_mended(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  if (t >= 16) return;
  unsigned sum = in[t];
  for (unsigned k = 8; k > 0; k /= 2) sum += __shfl_down_sync(0xffffu, sum, k);
  if (t == 0) out[0] = sum;
}

// run: grid=1 block=48 shared=0 args=in:u32:48,out:u32:2:zeros
extern "C" __global__ void short_block_defect(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  unsigned sum = in[t];
  for (unsigned k = 16; k > 0; k /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, k);  // finding: absent_lane
  if (t % 32 == 0) out[t / 32] = sum;
}

// run: grid=1 block=48 shared=0 args=in:u32:48,out:u32:2:zeros
extern "C" __global__ void short_block_mended(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  unsigned sum = in[t];
  for (unsigned k = 8; k > 0; k /= 2)
    sum += __shfl_xor_sync(t < 32 ? 0xffffffffu : 0xffffu, sum, k);
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
extern "C" __global__ void ballot_after_return_defect(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  if (t >= 20) return;
  out[t] = __ballot_sync(0xffffffffu, in[t] > 3);  // finding: ended_lanes
}

// run: grid=1 block=32 shared=0 args=in:u32:32,out:u32:32:zeros
extern "C" __global__ void ballot_after_return_mended(const unsigned* in, unsigned* out) {
  const unsigned t = threadIdx.x;
  const unsigned votes = __ballot_sync(0xffffffffu, t < 20 && in[t] > 3);
  if (t < 20) out[t] = votes;
}
