// solution of cuda_broadcast
__global__ void broadcast(const unsigned* down, const unsigned* across, unsigned* out, int rows,
                          int columns) {
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows && c < columns) out[r * columns + c] = down[r] + across[c];
}
