// solution of cuda_map_2d
__global__ void map_2d(const unsigned* in, unsigned* out, int rows, int columns) {
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows && c < columns) out[r * columns + c] = in[r * columns + c] + r;
}
