#ifndef HOST

// run: grid=2x3 block=16x16 shared=0 args=a:f32:1920,b:f32:1280,c:f32:1536:zeros,48,32,40
extern "C" __global__ void matmul_tiled(const float* a, const float* b, float* c, unsigned rows,
                                        unsigned columns, unsigned inner) {
  __shared__ float left[16][16];
  __shared__ float right[16][16];
  const unsigned x = threadIdx.x, y = threadIdx.y;
  const unsigned row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0.0f;
  for (unsigned k = 0; k < inner; k += 16) {
    left[y][x] = row < rows && k + x < inner ? a[row * inner + k + x] * 0.1f : 0.0f;
    right[y][x] = k + y < inner && column < columns ? b[(k + y) * columns + column] : 0.0f;
    __syncthreads();
    for (unsigned j = 0; j < 16; ++j) sum += left[y][j] * right[j][x];
    __syncthreads();
  }
  if (row < rows && column < columns) c[row * columns + column] = sum;
}

#else

void matmul_tiled_reference(const float* a, const float* b, float* c) {
  for (unsigned row = 0; row < 48; ++row)
    for (unsigned column = 0; column < 32; ++column)
      for (unsigned k = 0; k < 40; ++k)
        c[row * 32 + column] += a[row * 40 + k] * 0.1f * b[k * 32 + column];
}

#endif
