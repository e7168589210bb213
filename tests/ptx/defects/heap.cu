// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
extern "C" __global__ void used_after_free_defect(unsigned* out) {
  auto* values = static_cast<unsigned*>(malloc(16));
  const unsigned t = threadIdx.x;
  for (unsigned i = 0; i < 4; ++i) values[i] = t * i;
  free(values);
  out[t] = values[t % 4];  // finding: freed
}

// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
extern "C" __global__ void used_after_free_mended(unsigned* out) {
  auto* values = static_cast<unsigned*>(malloc(16));
  const unsigned t = threadIdx.x;
  for (unsigned i = 0; i < 4; ++i) values[i] = t * i;
  out[t] = values[t % 4];
  free(values);
}

// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
extern "C" __global__ void freed_twice_defect(unsigned* out) {
  __shared__ unsigned* values;
  const unsigned t = threadIdx.x;
  if (t == 0) values = static_cast<unsigned*>(malloc(128));
  __syncthreads();
  values[t] = t;
  __syncthreads();
  out[t] = values[31 - t];
  __syncthreads();
  if (t < 2) free(values);  // finding: freed
}

// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
extern "C" __global__ void freed_twice_mended(unsigned* out) {
  __shared__ unsigned* values;
  const unsigned t = threadIdx.x;
  if (t == 0) values = static_cast<unsigned*>(malloc(128));
  __syncthreads();
  values[t] = t;
  __syncthreads();
  out[t] = values[31 - t];
  __syncthreads();
  if (t == 0) free(values);
}

// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
extern "C" __global__ void beyond_malloc_defect(unsigned* out) {
  const unsigned t = threadIdx.x;
  auto* values = static_cast<unsigned*>(malloc(4 * t + 4));
  for (unsigned i = 0; i <= t + 1; ++i) values[i] = i;  // finding: out_of_bounds
  out[t] = values[t];
  free(values);
}

// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
extern "C" __global__ void beyond_malloc_mended(unsigned* out) {
  const unsigned t = threadIdx.x;
  auto* values = static_cast<unsigned*>(malloc(4 * t + 4));
  for (unsigned i = 0; i <= t; ++i) values[i] = i;
  out[t] = values[t];
  free(values);
}

// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
extern "C" __global__ void malloc_unwritten_defect(unsigned* out) {
  auto* values = static_cast<unsigned*>(malloc(8));
  const unsigned t = threadIdx.x;
  values[0] = t;
  out[t] = values[0] + values[t % 2];  // finding: unwritten_global
  free(values);
}

// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
extern "C" __global__ void malloc_unwritten_mended(unsigned* out) {
  auto* values = static_cast<unsigned*>(malloc(8));
  const unsigned t = threadIdx.x;
  values[0] = t;
  values[1] = 0;
  out[t] = values[0] + values[t % 2];
  free(values);
}

// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
extern "C" __global__ void free_of_a_part_defect(unsigned* out) {
  const unsigned t = threadIdx.x;
  auto* values = static_cast<unsigned*>(malloc(128));
  values[t] = t;
  out[t] = values[t];
  free(values + t);  // finding: out_of_bounds
}

// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
extern "C" __global__ void free_of_a_part_mended(unsigned* out) {
  const unsigned t = threadIdx.x;
  auto* values = static_cast<unsigned*>(malloc(128));
  values[t] = t;
  out[t] = values[t];
  free(values);
}

// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
extern "C" __global__ void heap_too_small_defect(unsigned* out) {
  const unsigned t = threadIdx.x;
  auto* values = static_cast<unsigned*>(malloc(1 << 19));
  values[t] = t;  // finding: out_of_bounds
  out[t] = values[t];
  free(values);
}

// run: grid=1 block=32 shared=0 args=out:u32:32:zeros
extern "C" __global__ void heap_too_small_mended(unsigned* out) {
  const unsigned t = threadIdx.x;
  auto* values = static_cast<unsigned*>(malloc(1 << 19));
  if (values == nullptr) return;
  values[t] = t;
  out[t] = values[t];
  free(values);
}
