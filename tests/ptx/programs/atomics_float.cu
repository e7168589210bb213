#ifndef HOST

// run: grid=4 block=64 shared=0 args=in:f32:256,sums:f32:3:zeros,wide:f64:2:zeros
extern "C" __global__ void atomics_float(const float* in, float* sums, double* wide) {
  __shared__ float part;
  const unsigned t = threadIdx.x;
  const float x = in[blockIdx.x * 64 + t];
  if (t == 0) part = 0.0f;
  __syncthreads();
  atomicAdd(&part, x);
  atomicAdd(&sums[0], x);
  atomicAdd(&wide[0], 0.25 * x);
  unsigned long long* cell = reinterpret_cast<unsigned long long*>(&wide[1]);
  unsigned long long before, seen = atomicAdd(cell, 0ull);
  do {
    before = seen;
    seen =
        atomicCAS(cell, before, __double_as_longlong(fmax(__longlong_as_double(before), 1.5 * x)));
  } while (seen != before);
  __syncthreads();
  if (t == 0) atomicAdd(&sums[1], part);
  if (t == 1) atomicExch(&sums[2], 7.5f);
}

#else

void atomics_float_reference(const float* in, float* sums, double* wide) {
  for (unsigned i = 0; i < 256; ++i) {
    sums[0] += in[i];
    sums[1] += in[i];
    wide[0] += 0.25 * in[i];
    if (1.5 * in[i] > wide[1]) wide[1] = 1.5 * in[i];
  }
  sums[2] = 7.5f;
}

#endif
