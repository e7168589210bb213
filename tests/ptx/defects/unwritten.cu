#include "agpusim/tests/ptx/defects/twins.cuh"

// run: grid=1 block=128 shared=0 args=in:u32:100,out:u32:1:zeros,100
TWINS(reduce_tail, (const unsigned* in, unsigned* out, unsigned n), (in, out, n)) {
  __shared__ unsigned sums[128];
  const unsigned t = threadIdx.x;
  if (mended || t < n) sums[t] = t < n ? in[t] : 0;
  for (unsigned k = 64; k > 0; k /= 2) {
    __syncthreads();
    if (t < k) sums[t] += sums[t + k];  // finding: unwritten_shared
  }
  if (t == 0) out[0] = sums[0];
}

// run: grid=2 block=64 shared=0 args=in:f32:128,out:f32:128:zeros,128
TWINS(halo_not_loaded, (const float* in, float* out, unsigned n), (in, out, n)) {
  __shared__ float tile[66];
  const unsigned t = threadIdx.x;
  const unsigned i = blockIdx.x * 64 + t;
  tile[t + 1] = in[i];
  if (t == 0) tile[0] = i > 0 ? in[i - 1] : 0.0f;
  if (mended && t == 63) tile[65] = i + 1 < n ? in[i + 1] : 0.0f;
  __syncthreads();
  out[i] = tile[t] - 2.0f * tile[t + 1] + tile[t + 2];  // finding: unwritten_shared
}

// run: grid=2 block=64 shared=0 args=in:u32:128,out:u32:2:zeros
TWINS(counter_not_cleared, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned count;
  const unsigned t = threadIdx.x;
  if (mended && t == 0) count = 0;
  if (mended) __syncthreads();
  if (in[blockIdx.x * 64 + t] % 3 == 0) atomicAdd(&count, 1u);  // finding: unwritten_shared
  __syncthreads();
  if (t == 0) out[blockIdx.x] = count;
}

// run: grid=1 block=96 shared=0 args=in:u32:96,out:u32:1:zeros
TWINS(warp_sums_missing, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned sums[32];
  const unsigned t = threadIdx.x;
  const unsigned sum = __reduce_add_sync(0xffffffffu, in[t]);
  if (t % 32 == 0) sums[t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    const unsigned part =
        !mended || t < blockDim.x / 32 ? sums[t] : 0;  // finding: unwritten_shared
    const unsigned total = __reduce_add_sync(0xffffffffu, part);
    if (t == 0) out[0] = total;
  }
}

// run: grid=2 block=64 shared=0 args=in:f32:128,out:f32:128:unwritten
TWINS(accumulate_into_raw, (const float* in, float* out), (in, out)) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = 0.5f * in[i];
  out[i] = mended ? value : out[i] + value;  // finding: unwritten_global
}

// run: grid=1 block=64 shared=0 args=in:u32:64,scratch:u32:128:unwritten,out:u32:64:zeros
TWINS(scratch_holes, (const unsigned* in, unsigned* scratch, unsigned* out), (in, scratch, out)) {
  const unsigned t = threadIdx.x;
  scratch[(mended ? 1 : 2) * t] = in[t];
  __syncthreads();
  out[t] = scratch[63 - t];  // finding: unwritten_global
}

// run: grid=2 block=64 shared=0 args=in:u32:128:random,best:u32:1:unwritten
// mended: grid=2 block=64 shared=0 args=in:u32:128:random,best:u32:1:zeros
TWINS(maximum_of_raw, (const unsigned* in, unsigned* best), (in, best)) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned top = __reduce_max_sync(0xffffffffu, in[i]);
  if (threadIdx.x % 32 == 0) atomicMax(best, top);  // finding: unwritten_global
}

// run: grid=1 block=64 shared=0 args=in:u32:64,out:u32:64
TWINS(next_key, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned keys[65];
  const unsigned t = threadIdx.x;
  keys[t] = in[t];
  __syncthreads();
  const volatile unsigned* const key = &keys[t + 1];
  const unsigned next = mended ? unsigned{*key} : keys[t + 1];  // finding: unwritten_shared
  out[t] = (t < 63) == mended ? next : 0;  // one too far is read, and not used if mended
}

// run: grid=1 block=64 shared=0 args=in:u32:64,out:u32:64
TWINS(compared_key, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned keys[65];
  const unsigned t = threadIdx.x;
  keys[t] = in[t];
  __syncthreads();
  const volatile unsigned* const key = &keys[t + 1];
  const unsigned next = *key;  // finding: unwritten_shared
  // One too far is compared, and does not count if mended.
  out[t] = (t < (mended ? 63 : 64)) & (next < keys[t]);
}

struct Pair {
  unsigned key;
  unsigned long long place;
};

// run: grid=1 block=64 shared=0 args=pairs:u32:256:unwritten,out:u64:64:zeros
TWINS(padded_pair, (Pair * pairs, unsigned long long* out), (pairs, out)) {
  const unsigned t = threadIdx.x;
  pairs[t].key = t;
  if (mended) pairs[t].place = 0;
  __syncthreads();
  const auto* const words = reinterpret_cast<const volatile unsigned long long*>(pairs);
  out[t] = mended ? words[2 * t] & 0xffffffff : pairs[t].place;  // finding: unwritten_global
}

// run: grid=1 block=64 shared=0 args=pairs:u32:512:unwritten,out:u64:64:zeros
TWINS(copied_pair, (Pair * pairs, unsigned long long* out), (pairs, out)) {
  const unsigned t = threadIdx.x;
  pairs[t].key = t;
  if (mended) pairs[t].place = 2 * t;
  __syncthreads();
  pairs[64 + t] = pairs[63 - t];  // finding: unwritten_global
  __syncthreads();
  out[t] = pairs[127 - t].key + (mended ? pairs[127 - t].place : 0);
}

// run: grid=1 block=64 shared=0 args=halves:u32:256:unwritten,out:u32:64:zeros
TWINS(copied_half, (uint2 * halves, unsigned* out), (halves, out)) {
  const unsigned t = threadIdx.x;
  reinterpret_cast<unsigned*>(halves)[2 * t] = t;
  __syncthreads();
  halves[64 + t] = halves[63 - t];
  __syncthreads();
  uint2 value = halves[127 - t];                                   // finding: unwritten_global
  if (mended) value.y = __shfl_xor_sync(0xffffffffu, value.y, 1);  // it is moved, and not used
  if (mended) halves[t] = value;
  out[t] = mended ? value.x : value.x + value.y;
}

// run: grid=1 block=64 shared=0 args=in:u32:64,out:u32:256:zeros
TWINS(shared_pair, (const unsigned* in, Pair* out), (in, out)) {
  __shared__ Pair pairs[64];
  const unsigned t = threadIdx.x;
  pairs[t].key = in[t];
  if (mended) pairs[t].place = t;
  __syncthreads();
  out[t] = pairs[63 - t];  // finding: unwritten_shared
}
