#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int threads = 256;

__global__ void reduce_interleaved(const int* in, int* out) {
  __shared__ int s[threads];
  const int i = threadIdx.x;
  s[i] = in[blockIdx.x * threads + i];
  __syncthreads();
  for (int k = 1; k < threads; k *= 2) {
    const int j = 2 * k * i;
    if (j < threads) s[j] += s[j + k];
    __syncthreads();
  }
  if (i == 0) out[blockIdx.x] = s[0];
}

__global__ void reduce(const int* in, int* out) {
  __shared__ int s[threads];
  const int i = threadIdx.x;
  s[i] = in[blockIdx.x * threads + i];
  __syncthreads();
  for (int k = threads / 2; k > 0; k /= 2) {
    if (i < k) s[i] += s[i + k];
    __syncthreads();
  }
  if (i == 0) out[blockIdx.x] = s[0];
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1 << 16;
  std::vector<int> x(n, 1), sums(n / threads);
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, sums.size() * sizeof(int));
  cudaMemcpy(in, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  for (auto* kernel : {reduce_interleaved, reduce}) {
    kernel<<<n / threads, threads>>>(in, out);
    cudaMemcpy(sums.data(), out, sums.size() * sizeof(int), cudaMemcpyDeviceToHost);
    int sum = 0;
    for (int part : sums) sum += part;
    std::printf("%s\n", sum == n ? "correct" : "wrong");
  }
}
