#include <cuda/ptx>

namespace ptx = cuda::ptx;
using State = cuda::std::uint64_t;

// run: grid=2 block=64 shared=0 args=in:u32:128,out:u32:128:zeros
extern "C" __global__ void phase_not_waited_for_defect(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  __shared__ State bar;
  const unsigned t = threadIdx.x;
  if (t == 0) ptx::mbarrier_init(&bar, 64);
  __syncthreads();
  values[t] = in[64 * blockIdx.x + t];  // finding: shared_race
  ptx::mbarrier_arrive(&bar);
  out[64 * blockIdx.x + t] = values[63 - t];  // finding: shared_race
}

// run: grid=2 block=64 shared=0 args=in:u32:128,out:u32:128:zeros
extern "C" __global__ void phase_not_waited_for_mended(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  __shared__ State bar;
  const unsigned t = threadIdx.x;
  if (t == 0) ptx::mbarrier_init(&bar, 64);
  __syncthreads();
  values[t] = in[64 * blockIdx.x + t];
  ptx::mbarrier_arrive(&bar);
  while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
  }
  out[64 * blockIdx.x + t] = values[63 - t];
}

// run: grid=1 block=64 shared=0 args=in:u32:64,out:u32:64:zeros
extern "C" __global__ void too_many_expected_defect(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  __shared__ State bar;
  const unsigned t = threadIdx.x;
  if (t == 0) ptx::mbarrier_init(&bar, 65);
  __syncthreads();
  values[t] = in[t];
  const State state = ptx::mbarrier_arrive(&bar);
  while (!ptx::mbarrier_try_wait(&bar, state)) {  // finding: deadlock
  }
  out[t] = values[63 - t];
}

// run: grid=1 block=64 shared=0 args=in:u32:64,out:u32:64:zeros
extern "C" __global__ void too_many_expected_mended(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  __shared__ State bar;
  const unsigned t = threadIdx.x;
  if (t == 0) ptx::mbarrier_init(&bar, 64);
  __syncthreads();
  values[t] = in[t];
  const State state = ptx::mbarrier_arrive(&bar);
  while (!ptx::mbarrier_try_wait(&bar, state)) {
  }
  out[t] = values[63 - t];
}

// run: grid=1 block=64 shared=0 args=in:u32:64,out:u32:64:zeros
extern "C" __global__ void too_few_expected_defect(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  __shared__ State bar;
  const unsigned t = threadIdx.x;
  if (t == 0) ptx::mbarrier_init(&bar, 32);
  __syncthreads();
  values[t] = in[t];  // finding: shared_race
  const State state = ptx::mbarrier_arrive(&bar);
  while (!ptx::mbarrier_try_wait(&bar, state)) {
  }
  out[t] = values[63 - t];  // finding: shared_race
}

// run: grid=1 block=64 shared=0 args=in:u32:64,out:u32:64:zeros
extern "C" __global__ void too_few_expected_mended(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64];
  __shared__ State bar;
  const unsigned t = threadIdx.x;
  if (t == 0) ptx::mbarrier_init(&bar, 64);
  __syncthreads();
  values[t] = in[t];
  const State state = ptx::mbarrier_arrive(&bar);
  while (!ptx::mbarrier_try_wait(&bar, state)) {
  }
  out[t] = values[63 - t];
}

// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
extern "C" __global__ void arrivals_of_no_phase_defect(unsigned* out) {
  __shared__ State bar;
  const unsigned t = threadIdx.x;
  if (t == 0) ptx::mbarrier_init(&bar, 47);
  __syncwarp();
  ptx::mbarrier_arrive(&bar, 2);  // finding: mbarrier
  out[t] = t;
}

// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
extern "C" __global__ void arrivals_of_no_phase_mended(unsigned* out) {
  __shared__ State bar;
  const unsigned t = threadIdx.x;
  if (t == 0) ptx::mbarrier_init(&bar, 47);
  __syncwarp();
  ptx::mbarrier_arrive(&bar, t == 0 ? 16 : 1);
  out[t] = t;
}

// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
extern "C" __global__ void never_initialised_defect(unsigned* out) {
  __shared__ State bars[2];
  const unsigned t = threadIdx.x;
  if (t == 0) ptx::mbarrier_init(&bars[0], 32);
  if (t == 0) bars[1] = 0;
  __syncwarp();
  const State state = ptx::mbarrier_arrive(&bars[1]);  // finding: mbarrier
  while (!ptx::mbarrier_test_wait(&bars[1], state)) {
  }
  out[t] = t;
}

// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
extern "C" __global__ void never_initialised_mended(unsigned* out) {
  __shared__ State bars[2];
  const unsigned t = threadIdx.x;
  if (t < 2) ptx::mbarrier_init(&bars[t], 32);
  __syncwarp();
  const State state = ptx::mbarrier_arrive(&bars[1]);
  while (!ptx::mbarrier_test_wait(&bars[1], state)) {
  }
  out[t] = t;
}

// run: grid=1 block=64 shared=0 args=out:u32:64:zeros
extern "C" __global__ void initialised_late_defect(unsigned* out) {
  __shared__ State bar;
  const unsigned t = threadIdx.x;
  if (t == 0) ptx::mbarrier_init(&bar, 64);
  const State state = ptx::mbarrier_arrive(&bar);  // finding: shared_race
  while (!ptx::mbarrier_try_wait(&bar, state)) {   // finding: shared_race
  }
  out[t] = t;
}

// run: grid=1 block=64 shared=0 args=out:u32:64:zeros
extern "C" __global__ void initialised_late_mended(unsigned* out) {
  __shared__ State bar;
  const unsigned t = threadIdx.x;
  if (t == 0) ptx::mbarrier_init(&bar, 64);
  __syncthreads();
  const State state = ptx::mbarrier_arrive(&bar);
  while (!ptx::mbarrier_try_wait(&bar, state)) {
  }
  out[t] = t;
}
