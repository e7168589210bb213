#ifndef HOST

#include <cuda/ptx>

// Counts of arrivals, states of phases, arrivals that are dropped, and those of cp.async.
// run: grid=2 block=96 shared=0 args=in:u32:192:random,out:u32:1152:zeros
extern "C" __global__ void mbarrier_states(const unsigned* in, unsigned* out) {
  namespace ptx = cuda::ptx;
  __shared__ unsigned values[96];
  __shared__ cuda::std::uint64_t bar;
  const unsigned t = threadIdx.x;
  unsigned* mine = out + 576 * blockIdx.x + 6 * t;
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&bar));
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&values[t]));
  if (t == 0) ptx::mbarrier_init(&bar, 192);
  __syncthreads();

  // Phase 0: each arrives twice, at once.
  values[t] = in[96 * blockIdx.x + t];
  cuda::std::uint64_t state = ptx::mbarrier_arrive(&bar, 2);
  while (!ptx::mbarrier_test_wait(&bar, state)) {
  }
  mine[0] = values[95 - t];

  // Phase 1: those of warp 0 are not enough.
  if (t < 32) state = ptx::mbarrier_arrive(&bar, 4);
  if (t == 0) mine[1] = ptx::mbarrier_test_wait(&bar, state) ? 1 : 7;
  __syncthreads();
  if (t >= 32) state = ptx::mbarrier_arrive(&bar);
  while (!ptx::mbarrier_try_wait(&bar, state)) {
  }

  // Phase 2: half of the arrivals are dropped, for good.
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
  ptx::mbarrier_arrive(&bar);
  while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
  }

  // Phase 3: copies arrive, one for each lane.
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to),
               "l"(in + 96 * blockIdx.x + (t + 1) % 96)
               : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at) : "memory");
  while (!ptx::mbarrier_try_wait_parity(&bar, 1)) {
  }
  mine[2] = values[95 - t];

  // Phase 4: they do not count, and each lane arrives by itself.
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(at) : "memory");
  state = ptx::mbarrier_arrive(&bar);
  while (!ptx::mbarrier_try_wait(&bar, state)) {
  }
  __syncthreads();
  if (t == 0) asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at) : "memory");
  __syncthreads();

  // One lane after the other: what is pending before each.
  if (t == 0) {
    ptx::mbarrier_init(&bar, 6);
    for (unsigned k = 1; k < 4; ++k) {
      state = ptx::mbarrier_arrive(&bar, k);
      unsigned pending;
      asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(state));
      mine[2 + k] = pending;
    }
  }
}

#else

void mbarrier_states_reference(const unsigned* in, unsigned* out) {
  for (unsigned i = 0; i < 192; ++i) {
    const unsigned* values = in + 96 * (i / 96);
    unsigned* mine = out + 6 * i;
    mine[0] = values[95 - i % 96];
    mine[2] = values[(96 - i % 96) % 96];
    if (i % 96 != 0) continue;
    mine[1] = 7;
    mine[3] = 6;
    mine[4] = 5;
    mine[5] = 3;
  }
}

#endif
