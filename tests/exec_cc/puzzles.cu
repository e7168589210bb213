// Kernels of a first course; each is compared with the host.
#include <cmath>
#include <cstdio>
#include <vector>

constexpr int block = 32;

__global__ void map(float* out, const float* a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + 10;
}
__global__ void zip(float* out, const float* a, const float* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}
__global__ void map_2d(float* out, const float* a, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) out[y * n + x] = a[y * n + x] + 10;
}
__global__ void broadcast(float* out, const float* a, const float* b, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) out[y * n + x] = a[x] + b[y];
}
__global__ void through_shared(float* out, const float* a, int n) {
  __shared__ float s[block];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) s[threadIdx.x] = a[i];
  __syncthreads();
  if (i < n) out[i] = s[threadIdx.x] + 10;
}
__global__ void pooling(float* out, const float* a, int n) {
  __shared__ float s[block + 2];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int t = threadIdx.x;
  s[t + 2] = i < n ? a[i] : 0;
  if (t < 2) s[t] = i >= 2 ? a[i - 2] : 0;
  __syncthreads();
  if (i < n) out[i] = s[t] + s[t + 1] + s[t + 2];
}
__global__ void dot(float* out, const float* a, const float* b, int n) {
  extern __shared__ float d[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  d[threadIdx.x] = i < n ? a[i] * b[i] : 0;
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 0; k /= 2) {
    if (threadIdx.x < k) d[threadIdx.x] += d[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, d[0]);
}
constexpr int taps = 4;
__constant__ float weights[taps];
__global__ void conv1d(float* out, const float* a, int n) {
  __shared__ float s[block + taps];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = i < n ? a[i] : 0;
  if (threadIdx.x < taps) s[block + threadIdx.x] = i + block < n ? a[i + block] : 0;
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = 0; k < taps; ++k) sum += s[threadIdx.x + k] * weights[k];
  if (i < n) out[i] = sum;
}
__global__ void prefix_sum(float* out, const float* a, int n) {
  __shared__ float s[2][block];
  const int t = threadIdx.x;
  int now = 0;
  s[now][t] = t < n ? a[t] : 0;
  __syncthreads();
  for (int k = 1; k < block; k *= 2) {
    s[1 - now][t] = s[now][t] + (t >= k ? s[now][t - k] : 0);
    now = 1 - now;
    __syncthreads();
  }
  if (t < n) out[t] = s[now][t];
}
__global__ void axis_sum(float* out, const float* a, int n) {
  float v = threadIdx.x < n ? a[blockIdx.x * n + threadIdx.x] : 0;
  for (int k = 16; k > 0; k /= 2) v += __shfl_down_sync(0xffffffff, v, k);
  if (threadIdx.x == 0) out[blockIdx.x] = v;
}
template <int tile>
__global__ void matmul(float* out, const float* a, const float* b, int n) {
  __shared__ float sa[tile][tile], sb[tile][tile];
  const int x = blockIdx.x * tile + threadIdx.x;
  const int y = blockIdx.y * tile + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += tile) {
    sa[threadIdx.y][threadIdx.x] = y < n && k + threadIdx.x < n ? a[y * n + k + threadIdx.x] : 0;
    sb[threadIdx.y][threadIdx.x] = x < n && k + threadIdx.y < n ? b[(k + threadIdx.y) * n + x] : 0;
    __syncthreads();
    for (int j = 0; j < tile; ++j) sum += sa[threadIdx.y][j] * sb[j][threadIdx.x];
    __syncthreads();
  }
  if (x < n && y < n) out[y * n + x] = sum;
}

static int wrong = 0;
template <class F>
void check(const char* name, const float* out, int n, F want) {
  if (cudaDeviceSynchronize() != cudaSuccess)
    printf("%s: %s\n", name, cudaGetErrorString(cudaGetLastError())), ++wrong;
  std::vector<float> host(n);
  cudaMemcpy(host.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    if (std::fabs(host[i] - want(i)) <= 1e-3f * std::fabs(want(i))) continue;
    printf("%s[%d] is %g, must be %g\n", name, i, host[i], float(want(i)));
    ++wrong;
    return;
  }
}

int main() {
  constexpr int n = 30, all = n * n;
  float a[all], b[all], w[taps] = {1, 2, 3, 4};
  for (int i = 0; i < all; ++i) a[i] = i % 7 + 1, b[i] = i % 5 - 2;
  float *x, *y, *out;
  cudaMalloc(&x, sizeof a), cudaMalloc(&y, sizeof b), cudaMalloc(&out, sizeof a);
  cudaMemcpy(x, a, sizeof a, cudaMemcpyHostToDevice),
      cudaMemcpy(y, b, sizeof b, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(weights, w, sizeof w);
  const dim3 grid(2, 2), tile(16, 16);
  const int blocks = (all + block - 1) / block;
  map<<<blocks, block>>>(out, x, all), check("map", out, all, [&](int i) { return a[i] + 10; });
  zip<<<blocks, block>>>(out, x, y, all),
      check("zip", out, all, [&](int i) { return a[i] + b[i]; });
  map_2d<<<grid, tile>>>(out, x, n), check("map_2d", out, all, [&](int i) { return a[i] + 10; });
  broadcast<<<grid, tile>>>(out, x, y, n),
      check("broadcast", out, all, [&](int i) { return a[i % n] + b[i / n]; });
  through_shared<<<blocks, block>>>(out, x, all),
      check("shared", out, all, [&](int i) { return a[i] + 10; });
  pooling<<<blocks, block>>>(out, x, all), check("pooling", out, all, [&](int i) {
    return a[i] + (i > 0 ? a[i - 1] : 0) + (i > 1 ? a[i - 2] : 0);
  });
  cudaMemset(out, 0, 4);
  dot<<<blocks, block, block * sizeof(float)>>>(out, x, y, all), check("dot", out, 1, [&](int) {
    float sum = 0;
    for (int i = 0; i < all; ++i) sum += a[i] * b[i];
    return sum;
  });
  conv1d<<<blocks, block>>>(out, x, all), check("conv1d", out, all, [&](int i) {
    float sum = 0;
    for (int k = 0; k < taps && i + k < all; ++k) sum += a[i + k] * w[k];
    return sum;
  });
  prefix_sum<<<1, block>>>(out, x, n), check("prefix_sum", out, n, [&](int i) {
    float sum = 0;
    for (int k = 0; k <= i; ++k) sum += a[k];
    return sum;
  });
  axis_sum<<<n, block>>>(out, x, n), check("axis_sum", out, n, [&](int i) {
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[i * n + k];
    return sum;
  });
  matmul<16><<<grid, tile>>>(out, x, y, n), check("matmul", out, all, [&](int i) {
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[i / n * n + k] * b[k * n + i % n];
    return sum;
  });
  puts(wrong == 0 ? "correct" : "wrong");
  return wrong;
}
