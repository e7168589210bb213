#include "agpusim/tests/ptx/defects/twins.cuh"

// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
TWINS(used_after_free, (unsigned* out), (out)) {
  auto* values = static_cast<unsigned*>(malloc(16));
  const unsigned t = threadIdx.x;
  for (unsigned i = 0; i < 4; ++i) values[i] = t * i;
  if (!mended) free(values);
  out[t] = values[t % 4];  // finding: freed
  if (mended) free(values);
}

// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
TWINS(freed_twice, (unsigned* out), (out)) {
  __shared__ unsigned* values;
  const unsigned t = threadIdx.x;
  if (t == 0) values = static_cast<unsigned*>(malloc(128));
  __syncthreads();
  values[t] = t;
  __syncthreads();
  out[t] = values[31 - t];
  __syncthreads();
  if (mended ? t == 0 : t < 2) free(values);  // finding: freed
}

// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
TWINS(beyond_malloc, (unsigned* out), (out)) {
  const unsigned t = threadIdx.x;
  auto* values = static_cast<unsigned*>(malloc(4 * t + 4));
  for (unsigned i = 0; i <= t + (mended ? 0 : 1); ++i) values[i] = i;  // finding: out_of_bounds
  out[t] = values[t];
  free(values);
}

// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
TWINS(malloc_unwritten, (unsigned* out), (out)) {
  auto* values = static_cast<unsigned*>(malloc(8));
  const unsigned t = threadIdx.x;
  values[0] = t;
  if (mended) values[1] = 0;
  out[t] = values[0] + values[t % 2];  // finding: unwritten_global
  free(values);
}

// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
TWINS(free_of_a_part, (unsigned* out), (out)) {
  const unsigned t = threadIdx.x;
  auto* values = static_cast<unsigned*>(malloc(128));
  values[t] = t;
  out[t] = values[t];
  free(mended ? values : values + t);  // finding: out_of_bounds
}

// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
TWINS(heap_too_small, (unsigned* out), (out)) {
  const unsigned t = threadIdx.x;
  auto* values = static_cast<unsigned*>(malloc(1 << 19));
  if (mended && values == nullptr) return;
  values[t] = t;  // finding: out_of_bounds
  out[t] = values[t];
  free(values);
}
