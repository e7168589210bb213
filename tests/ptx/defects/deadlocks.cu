#include "agpusim/tests/ptx/defects/twins.cuh"

// run: grid=1 block=32 shared=0 args=lock:u32:1:zeros,out:u32:1:zeros
TWINS(lock_twice, (unsigned* lock, unsigned* out), (lock, out)) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0u, 1u) != 0)
      ;
    __threadfence();
    out[0] += 1;
    if (mended) __threadfence();
    if (mended) atomicExch(lock, 0u);
    while (atomicCAS(lock, 0u, 1u) != 0)  // finding: deadlock
      ;
    __threadfence();
    out[0] += 2;
    __threadfence();
    atomicExch(lock, 0u);
  }
}

// run: grid=2 block=32 shared=0 args=locks:u32:2:zeros,ready:u32:2:zeros,out:u32:1:zeros
TWINS(opposite_order, (unsigned* locks, unsigned* ready, unsigned* out), (locks, ready, out)) {
  if (threadIdx.x == 0) {
    const unsigned me = blockIdx.x, other = 1 - me;
    const unsigned first = mended ? 0 : me, second = mended ? 1 : other;
    while (!mended && atomicCAS(&locks[first], 0u, 1u) != 0)
      ;
    atomicExch(&ready[me], 1u);
    while (atomicAdd(&ready[other], 0u) == 0)
      ;
    while (mended && atomicCAS(&locks[first], 0u, 1u) != 0)
      ;
    while (atomicCAS(&locks[second], 0u, 1u) != 0)  // finding: deadlock
      ;
    __threadfence();
    out[0] += me + 1;
    __threadfence();
    atomicExch(&locks[second], 0u);
    atomicExch(&locks[first], 0u);
  }
}

// run: grid=2 block=32 shared=0 args=in:u32:32,flag:u32:1:zeros,out:u32:1:zeros
TWINS(flag_never_set, (const unsigned* in, unsigned* flag, unsigned* out), (in, flag, out)) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) {
      if (mended ? in[5] < 100 : in[5] > 100) atomicExch(flag, 1u);
    } else {
      while (atomicAdd(flag, 0u) == 0)  // finding: deadlock
        ;
      out[0] = 1;
    }
  }
}

// run: grid=1 block=64 shared=0 args=in:u32:64,out:u32:64:zeros
TWINS(named_barrier_count, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned slots[64];
  const unsigned t = threadIdx.x;
  slots[t] = in[t];
  asm volatile("bar.sync 1, %0;" ::"n"(mended ? 64 : 96) : "memory");  // finding: deadlock
  out[t] = slots[63 - t];
}

// run: grid=1 block=64 shared=0 args=in:u32:32,out:u32:32:zeros
TWINS(arrive_at_other_barrier, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned slots[32];
  const unsigned t = threadIdx.x;
  if (t < 32) {
    slots[t] = in[t];
    __threadfence_block();
    asm volatile("bar.arrive %0, 64;" ::"n"(mended ? 2 : 1) : "memory");
  } else {
    asm volatile("bar.sync 2, 64;" ::: "memory");  // finding: deadlock
    out[t - 32] = slots[63 - t];
  }
}

// run: grid=1 block=64 shared=0 args=in:u32:64,out:u32:1:zeros
TWINS(flag_behind_barrier, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned flag;
  const unsigned t = threadIdx.x;
  if (t == 0) flag = 0;
  __syncthreads();
  if (mended && t == 32) atomicExch(&flag, in[7]);
  if (t == 0) {
    while (atomicAdd(&flag, 0u) == 0)  // finding: deadlock
      ;
    out[0] = 1;
  }
  __syncthreads();  // finding: deadlock
  if (!mended && t == 32) atomicExch(&flag, in[7]);
}

// run: grid=4 block=32 shared=0 args=turn:u32:4:zeros,out:u32:4:zeros
TWINS(ring_of_waits, (unsigned* turn, unsigned* out), (turn, out)) {
  if (threadIdx.x == 0) {
    const unsigned me = blockIdx.x;
    const unsigned before = mended ? me - 1 : (me + 3) % 4;
    while ((!mended || me > 0) && atomicAdd(&turn[before], 0u) == 0)  // finding: deadlock
      ;
    out[me] = me + 1;
    __threadfence();
    atomicExch(&turn[me], 1u);
  }
}
