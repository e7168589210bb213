#include "agpusim/tests/ptx/defects/twins.cuh"

// run: grid=1 block=32 shared=0 args=in:u32:32,out:u32:32:zeros
TWINS(shuffle_in_half, (const unsigned* in, unsigned* out), (in, out)) {
  const unsigned t = threadIdx.x;
  unsigned sum = in[t];
  if (t < 16) {
    for (unsigned k = 8; k > 0; k /= 2)
      sum += __shfl_down_sync(mended ? 0xffffu : 0xffffffffu, sum, k, 16);  // finding: wrong_mask
  }
  __syncwarp();  // finding: wrong_mask
  out[t] = sum;
}

// run: grid=1 block=32 shared=0 args=in:u32:32,out:u32:32:zeros
TWINS(own_lane_left_out, (const unsigned* in, unsigned* out), (in, out)) {
  const unsigned t = threadIdx.x;
  unsigned sum = in[t];
  for (unsigned k = 1; k < 16; k *= 2)
    sum += __shfl_xor_sync(mended ? 0xffffffffu : 0x0000ffffu, sum, k);  // finding: wrong_mask
  out[t] = sum;
}

// run: grid=1 block=32 shared=0 args=in:u32:32,out:u32:32:zeros
TWINS(syncwarp_in_half, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned slots[32];
  const unsigned t = threadIdx.x;
  unsigned value = in[t];
  if (t < 16) {
    slots[t] = value;
    __syncwarp(mended ? 0x0000ffffu : 0xffffffffu);  // finding: wrong_mask
    value += slots[15 - t];
  }
  out[t] = __shfl_xor_sync(0xffffffffu, value, 1);  // finding: wrong_mask
}

// run: grid=1 block=32 shared=0 args=in:u32:80,out:u32:32:zeros,80
TWINS(ballot_in_tail, (const unsigned* in, unsigned* out, unsigned n), (in, out, n)) {
  const unsigned t = threadIdx.x;
  unsigned odd = 0;
  for (unsigned base = 0; mended ? base < n : base + t < n; base += 32) {
    const bool is_odd = (!mended || base + t < n) && (in[base + t] & 1);
    odd += __popc(__ballot_sync(0xffffffffu, is_odd));  // finding: wrong_mask
  }
  __syncwarp();  // finding: wrong_mask
  out[t] = odd;
}

// run: grid=1 block=32 shared=0 args=in:u32:32,out:u32:32:zeros
TWINS(reduce_with_old_mask, (const unsigned* in, unsigned* out), (in, out)) {
  const unsigned t = threadIdx.x;
  const unsigned value = in[t];
  const unsigned mask = __ballot_sync(0xffffffffu, value > (mended ? 9 : 5));
  unsigned sum = 0;
  if (value > 9) sum = __reduce_add_sync(mask, value);  // finding: wrong_mask
  __syncwarp();                                         // finding: wrong_mask
  out[t] = sum;
}

// run: grid=1 block=64 shared=0 args=in:u32:50,out:u32:64:zeros,50
TWINS(vote_in_branch, (const unsigned* in, unsigned* out, unsigned n), (in, out, n)) {
  const unsigned t = threadIdx.x;
  unsigned found = 0;
  const unsigned mask = mended ? __ballot_sync(0xffffffffu, t < n) : 0xffffffffu;
  if (t < n) found = __any_sync(mask, in[t] == 40);  // finding: wrong_mask
  __syncwarp();                                      // finding: wrong_mask
  out[t] = found;
}

// run: grid=1 block=32 shared=0 args=in:u32:32,out:u32:32:zeros
TWINS(shuffle_on_two_ways, (const unsigned* in, unsigned* out), (in, out)) {
  const unsigned t = threadIdx.x;
  unsigned value = in[t];
  if (t % 2 == 0)
    value +=
        2 * __shfl_xor_sync(mended ? 0x55555555u : 0xffffffffu, value, 2);  // finding: wrong_mask
  else
    value -=
        5 * __shfl_xor_sync(mended ? 0xaaaaaaaau : 0xffffffffu, value, 4);  // finding: wrong_mask
  out[t] = value;
}
