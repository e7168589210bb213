// How an idiom is written down, which memory_model_test.cpp reads in the sources and runs:
//   IDIOM(name, CTAs, threads, rule)   kernel name_right; name_broken lacks what `right` guards
//   RIGHT(name, CTAs, threads)         kernel name_right alone
// A rule is part of the name of the expected finding, with _ for spaces; a_or_b is either.
// The PTX is made by `dev/ptx_fixtures.sh tests/memory_model/*.cu`.
#pragma once

// in: 0, 1, 2, ...; out and flag: zeros; fresh: never written. 1,024 words each, and as many bytes
// of dynamic shared memory.
#define IDIOM_PARAMETERS unsigned *in, unsigned *out, unsigned *flag, unsigned *fresh
#define IDIOM_BODY(name) \
  template <bool right>  \
  __device__ __forceinline__ void name(IDIOM_PARAMETERS, const unsigned t, const unsigned cta)
#define IDIOM_KERNEL(name, suffix, is_right)                       \
  extern "C" __global__ void name##suffix(IDIOM_PARAMETERS) {      \
    name<is_right>(in, out, flag, fresh, threadIdx.x, blockIdx.x); \
  }
#define IDIOM(name, ctas, threads, rule) \
  IDIOM_BODY(name);                      \
  IDIOM_KERNEL(name, _right, true)       \
  IDIOM_KERNEL(name, _broken, false)     \
  IDIOM_BODY(name)
#define RIGHT(name, ctas, threads) \
  IDIOM_BODY(name);                \
  IDIOM_KERNEL(name, _right, true) \
  IDIOM_BODY(name)

constexpr unsigned every_lane = 0xffffffffu;

__device__ __forceinline__ unsigned seen(const unsigned* word) {
  return *const_cast<const volatile unsigned*>(word);
}
__device__ __forceinline__ void show(unsigned* word, unsigned value) {
  *const_cast<volatile unsigned*>(word) = value;
}
__device__ __forceinline__ void bar_sync(unsigned barrier, unsigned threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
__device__ __forceinline__ void bar_arrive(unsigned barrier, unsigned threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
