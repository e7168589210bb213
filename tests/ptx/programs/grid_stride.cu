#ifndef HOST

// run: grid=3 block=64 shared=0 args=x:f32:1000,y:f32:1000,1.5,1000
extern "C" __global__ void grid_stride(const float* x, float* y, float scale, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = scale * x[i] + y[i] / 3.0f;
}

#else

void grid_stride_reference(const float* x, float* y) {
  for (unsigned i = 0; i < 1000; ++i) y[i] = 1.5f * x[i] + y[i] / 3.0f;
}

#endif
