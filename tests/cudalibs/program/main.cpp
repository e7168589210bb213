// A program that calls libraries of CUDA and checks what they compute. usage:
// agpusim_cudalibs_program SEED
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <unistd.h>

#include "agpusim/tests/cudalibs/program/libraries.hpp"

namespace agpusim::test {
namespace {

enum : int { refused_by_blas = 15, failed_in_blas = 13, invalid_in_blas = 7 };

void* blas_in(void* stream) {
  void* handle = nullptr;
  EXPECT(cublasCreate_v2(&handle) == 0 && cublasSetStream_v2(handle, stream) == 0);
  return handle;
}

/// Calls come after what their stream was asked for before, and are part of a graph.
void check_streams() {
  void *stream = nullptr, *pinned = nullptr, *graph = nullptr, *executable = nullptr;
  EXPECT(cudaStreamCreate(&stream) == success && cudaHostAlloc(&pinned, 4, 0) == success);
  void* const handle = blas_in(stream);
  const Array<float> y(Values<float>{1}), x(Values<float>{2});
  float two = 2, result = 0;
  const auto write = [](void* to) { usleep(50'000), *static_cast<float*>(to) = 10; };
  EXPECT(cudaLaunchHostFunc(stream, write, pinned) == success);
  EXPECT(cublasSaxpy_v2(handle, 1, &two, pinned, 1, y.get(), 1) == 0);
  two = 100;                                                             // the call has read it
  EXPECT(cublasSaxpy_v2(handle, 1, &two, &result, 1, y.get(), 1) == 0);  // waits in the stream
  EXPECT(cudaStreamSynchronize(stream) == invalid_value);                // and is wrong there
  EXPECT(cublasSnrm2_v2(handle, 1, y.get(), 1, &result) == 0 && result == 21);
  EXPECT(cudaStreamBeginCapture(stream, 0) == success);
  EXPECT(cublasSdot_v2(handle, 1, x.get(), 1, y.get(), 1, &result) == refused_by_blas);
  two = 2;
  EXPECT(cublasSaxpy_v2(handle, 1, &two, x.get(), 1, y.get(), 1) == 0);
  EXPECT(cudaStreamEndCapture(stream, &graph) == success && y.values()[0] == 21);
  EXPECT(cudaGraphInstantiate(&executable, graph, 0) == success);
  for (int i = 0; i < 2; ++i) EXPECT(cudaGraphLaunch(executable, stream) == success);
  EXPECT(cudaStreamSynchronize(stream) == success && y.values()[0] == 29);
}

void check_failures() {
  void* const handle = blas_in(nullptr);
  const Array<float> x(Values<float>(10));
  Values<float> host(10);
  const float one = 1;
  EXPECT(cublasSaxpy_v2(handle, 10, &one, host.data(), 1, x.get(), 1) == failed_in_blas);
  EXPECT(cublasSaxpy_v2(handle, 11, &one, x.get(), 1, x.get(), 1) == failed_in_blas);
  EXPECT(cublasSaxpy_v2_64(handle, std::numeric_limits<std::int64_t>::max(), &one, x.get(),
                           std::int64_t{1}, x.get(), std::int64_t{1}) == failed_in_blas);
  EXPECT(cublasSaxpy_v2(handle, 10, nullptr, x.get(), 1, x.get(), 1) == invalid_in_blas);
  EXPECT(cublasSgemv_v2(handle, 0, 3, 3, &one, x.get(), 2, x.get(), 1, &one, x.get(), 1) ==
         invalid_in_blas);
  EXPECT(cublasSaxpy_v2(nullptr, 10, &one, x.get(), 1, x.get(), 1) == 1);
  EXPECT(cublasStrsm_v2(handle, 0, 0, 0, 0, 1, 1, &one, x.get(), 1, x.get(), 1) == refused_by_blas);
  void *sparse = nullptr, *solver = nullptr, *light = nullptr, *stream = &host;
  int version = 0;
  EXPECT(cusparseCreate(&sparse) == 0 && cusparseGetStream(sparse, &stream) == 0 &&
         stream == nullptr);
  EXPECT(cusparseGetVersion(sparse, &version) == 0 && version / 1000 == 12);
  EXPECT(cusparseSpMV(sparse) == 10 && cusparseDestroy(sparse) == 0);
  EXPECT(cusolverDnCreate(&solver) == 0 && cusolverDnSgetrf(solver) == 9 &&
         cusolverDnDestroy(solver) == 0);
  EXPECT(cufftPlan1d(&version, 8, 0x29, 1) == 16);
  EXPECT(cublasLtCreate(&light) == 0 && cublasLtMatmul(light) == refused_by_blas);
  EXPECT(cublasLtDestroy(light) == 0 && cublasLtDestroy(nullptr) == 1);
}

}  // namespace
}  // namespace agpusim::test

int main(int /*count*/, char** arguments) {
  using namespace agpusim;
  const std::uint64_t seed = std::strtoull(arguments[1], nullptr, 10);
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  Random random(seed);
  test::check_blas(random);
  test::check_random();
  test::check_streams();
  test::check_failures();
  return 0;
}
