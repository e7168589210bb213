#include <cuda/ptx>

#include "agpusim/tests/ptx/defects/twins.cuh"

namespace ptx = cuda::ptx;
using State = cuda::std::uint64_t;

// run: grid=2 block=64 shared=0 args=in:u32:128,out:u32:128:zeros
TWINS(phase_not_waited_for, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned values[64];
  __shared__ State bar;
  const unsigned t = threadIdx.x;
  if (t == 0) ptx::mbarrier_init(&bar, 64);
  __syncthreads();
  values[t] = in[64 * blockIdx.x + t];  // finding: shared_race
  ptx::mbarrier_arrive(&bar);
  while (mended && !ptx::mbarrier_try_wait_parity(&bar, 0)) {
  }
  out[64 * blockIdx.x + t] = values[63 - t];  // finding: shared_race
}

// run: grid=1 block=64 shared=0 args=in:u32:64,out:u32:64:zeros
TWINS(too_many_expected, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned values[64];
  __shared__ State bar;
  const unsigned t = threadIdx.x;
  if (t == 0) ptx::mbarrier_init(&bar, mended ? 64 : 65);
  __syncthreads();
  values[t] = in[t];
  const State state = ptx::mbarrier_arrive(&bar);
  while (!ptx::mbarrier_try_wait(&bar, state)) {  // finding: deadlock
  }
  out[t] = values[63 - t];
}

// run: grid=1 block=64 shared=0 args=in:u32:64,out:u32:64:zeros
TWINS(too_few_expected, (const unsigned* in, unsigned* out), (in, out)) {
  __shared__ unsigned values[64];
  __shared__ State bar;
  const unsigned t = threadIdx.x;
  if (t == 0) ptx::mbarrier_init(&bar, mended ? 64 : 32);
  __syncthreads();
  values[t] = in[t];  // finding: shared_race
  const State state = ptx::mbarrier_arrive(&bar);
  while (!ptx::mbarrier_try_wait(&bar, state)) {
  }
  out[t] = values[63 - t];  // finding: shared_race
}

// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
TWINS(arrivals_of_no_phase, (unsigned* out), (out)) {
  __shared__ State bar;
  const unsigned t = threadIdx.x;
  if (t == 0) ptx::mbarrier_init(&bar, 47);
  __syncwarp();
  ptx::mbarrier_arrive(&bar, !mended ? 2 : t == 0 ? 16 : 1);  // finding: mbarrier
  out[t] = t;
}

// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
TWINS(never_initialised, (unsigned* out), (out)) {
  __shared__ State bars[2];
  const unsigned t = threadIdx.x;
  if (t < (mended ? 2 : 1)) ptx::mbarrier_init(&bars[t], 32);
  if (!mended && t == 0) bars[1] = 0;
  __syncwarp();
  const State state = ptx::mbarrier_arrive(&bars[1]);  // finding: mbarrier
  while (!ptx::mbarrier_test_wait(&bars[1], state)) {
  }
  out[t] = t;
}

// run: grid=1 block=64 shared=0 args=out:u32:64:zeros
TWINS(initialised_late, (unsigned* out), (out)) {
  __shared__ State bar;
  const unsigned t = threadIdx.x;
  if (t == 0) ptx::mbarrier_init(&bar, 64);
  if (mended) __syncthreads();
  const State state = ptx::mbarrier_arrive(&bar);  // finding: shared_race
  while (!ptx::mbarrier_try_wait(&bar, state)) {   // finding: shared_race
  }
  out[t] = t;
}
