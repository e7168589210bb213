#include "agpusim/tests/ptx/defects/twins.cuh"

// run: grid=8 block=32 shared=0 args=counter:u32:1:zeros
TWINS(lost_update, (unsigned* counter), (counter)) {
  if (mended && threadIdx.x == 0) atomicAdd(counter, 1u);
  if (!mended && threadIdx.x == 0) counter[0] += 1;  // finding: global_race
}

// run: grid=2 block=64 shared=0 args=in:f32:128,out:f32:128:zeros,128
TWINS(stencil_in_place, (float* in, float* out, unsigned n), (in, out, n)) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const float left = i > 0 ? in[i - 1] : 0.0f;       // finding: global_race
  const float right = i + 1 < n ? in[i + 1] : 0.0f;  // finding: global_race
  __syncthreads();
  (mended ? out : in)[i] = 0.5f * (left + right);  // finding: global_race
}

// run: grid=4 block=32 shared=0 args=in:u32:128,bins:u32:32:zeros
TWINS(histogram_across, (const unsigned* in, unsigned* bins), (in, bins)) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned bin = (in[i] * 5) % 32;
  if (mended) {
    atomicAdd(&bins[bin], 1u);
  } else {
    bins[bin] += 1;  // finding: global_race
  }
}

// run: grid=4 block=64 shared=0 args=in:u32:256,total:u32:1:zeros,out:u32:4:zeros
TWINS(plain_read_of_atomic, (const unsigned* in, unsigned* total, unsigned* out),
      (in, total, out)) {
  const unsigned sum = __reduce_add_sync(0xffffffffu, in[blockIdx.x * 64 + threadIdx.x]);
  if (threadIdx.x % 32 == 0) atomicAdd(total, sum);  // finding: global_race
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = mended ? atomicAdd(total, 0u) : total[0];  // finding: global_race
}

// run: grid=2 block=64 shared=0 args=data:u32:64,flag:u32:1:zeros,out:u32:64:zeros
TWINS(message_without_fence, (unsigned* data, unsigned* flag, unsigned* out), (data, flag, out)) {
  const unsigned t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = 3 * t + 1;  // finding: global_race
    __syncthreads();
    if (t == 0) {
      if (mended) __threadfence();
      atomicExch(flag, 1u);
    }
  } else {
    if (t == 0) {
      while (atomicAdd(flag, 0u) == 0)
        ;
      __threadfence();
    }
    __syncthreads();
    out[t] = data[t];  // finding: global_race
  }
}

// run: grid=4 block=32 shared=0 args=in:u32:128,parts:u32:4:zeros,ticket:u32:1:zeros,out:u32:1:zeros
TWINS(last_block_sum, (const unsigned* in, unsigned* parts, unsigned* ticket, unsigned* out),
      (in, parts, ticket, out)) {
  const unsigned sum = __reduce_add_sync(0xffffffffu, in[blockIdx.x * 32 + threadIdx.x]);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = sum;  // finding: global_race
    if (mended) __threadfence();
    const unsigned before = atomicAdd(ticket, 1u);
    if (before == gridDim.x - 1) {
      if (mended) __threadfence();
      unsigned total = 0;
      for (unsigned k = 0; k < gridDim.x; ++k) total += parts[k];  // finding: global_race
      out[0] = total;
    }
  }
}

// run: grid=2 block=64 shared=0 args=in:u32:128,out:u32:128:zeros
TWINS(same_output, (const unsigned* in, unsigned* out), (in, out)) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[mended ? i : threadIdx.x] = in[i] + 1;  // finding: global_race
}

// run: grid=2 block=32 shared=0 args=flag:u32:1:zeros,out:u32:1:zeros
TWINS(flag_plain_store, (unsigned* flag, unsigned* out), (flag, out)) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) {
      if (mended) atomicExch(flag, 1u);
      if (!mended) flag[0] = 1;  // finding: global_race
    } else {
      while (atomicAdd(flag, 0u) == 0)  // finding: global_race
        ;
      out[0] = 1;
    }
  }
}

// run: grid=4 block=32 shared=0 args=data:u32:128,flags:u32:4:zeros
TWINS(shift_in_place, (unsigned* data, volatile unsigned* flags), (data, flags)) {
  const unsigned t = threadIdx.x;
  const unsigned x = data[blockIdx.x * 32 + t];  // finding: global_race
  __syncthreads();
  if (t == 0) {
    flags[blockIdx.x] = 1;
    while (mended && blockIdx.x > 0 && flags[blockIdx.x - 1] == 0)
      ;
  }
  if (mended) __syncthreads();
  if (blockIdx.x > 0) data[(blockIdx.x - 1) * 32 + t] = x;  // finding: global_race
}
