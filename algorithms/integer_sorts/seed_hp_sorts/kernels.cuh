#pragma once

#include <cstdint>

#include "agpusim/algorithms/integer_sorts/seed_hp_sorts/workspace.cuh"

/// The kernels of seed 000, figures 1 to 5, with the paper's names and its 256 threads per CTA; all
/// corrections are of theory 8 (H7, H12, H13): the key's offset is subtracted, guards are `>=`, and
/// every thread of a CTA reaches the barrier.
namespace agpusim::seed_hp_sorts {

/// CTAs for `threads` threads.
inline unsigned ctas(std::int64_t threads) {
  return static_cast<unsigned>((threads + cta_threads - 1) / cta_threads);
}

__device__ inline int thread_index() {
  return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

/// Figure 1: cnt[a[i] - min] counts. The barrier separates the coalesced reads of a CTA from its
/// scattered atomics, which is the paper's purpose with it.
static __global__ void inc_cnt(int n, const int* a, int* cnt, int min) {
  const int i = thread_index();
  const int pos = i < n ? a[i] - min : 0;
  __syncthreads();
  if (i < n) atomicAdd(&cnt[pos], 1);
}

/// Section 5: the subroutine Prefix-Sums adds its start value to the first element.
static __global__ void add_init(int* data, int init) { data[0] += init; }

/// Figure 2: a key v with Ap[v] > Ap[v - 1] is number Ap[v - 1] of the result.
static __global__ void one_hp_tail(int min, int range, const int* ap, int* y) {
  const int i = thread_index();
  if (i >= range) return;
  if (i == 0) {
    if (ap[0] != 0) y[0] = min;
  } else if (ap[i - 1] != ap[i]) {
    y[ap[i - 1]] = min + i;
  }
}

/// Figure 3.
static __global__ void binarize(int range, const int* cnt, int* cnt01) {
  const int i = thread_index();
  if (i < range) cnt01[i] = cnt[i] > 0 ? 1 : 0;
}

/// Figure 4: key number x of the keys that occur (from 1) goes with its count to C[x], iC[x].
static __global__ void compress_a01p(int min, int range, const int* a, const int* a01p, int* c,
                                     int* ic) {
  const int i = thread_index();
  const int y = i < range ? a[i] : 0;
  const int x = y != 0 ? a01p[i] : 0;
  __syncthreads();
  if (y != 0) {
    c[x] = y;
    ic[x] = min + i;
  }
}

/// Figure 5, with len = *len_at, so that the host need not know it: threads beyond it do nothing.
static __global__ void expand_to_b(const int* len_at, const int* cp, const int* ic, int* b) {
  const int i = thread_index();
  const bool active = i < *len_at;
  const int x = active ? cp[i] : 0;
  __syncthreads();
  if (active) b[x] = ic[i + 1] - ic[i];
}

}  // namespace agpusim::seed_hp_sorts
