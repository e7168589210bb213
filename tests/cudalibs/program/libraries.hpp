// The functions of the libraries, declared here: no header of CUDA is needed. On x86-64, pointers
// and integers are passed to f(...) as to a function with parameters.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "agpusim/tests/cudart/program/cuda.hpp"
#include "agpusim/tests/cudart/program/expect.hpp"
#include "agpusim/tests/support/seed.hpp"

extern "C" {
#define X(name) int name(...);
#include "agpusim/cudalibs/names/cublas.def"
#include "agpusim/cudalibs/names/cublasLt.def"
#include "agpusim/cudalibs/names/cufft.def"
#include "agpusim/cudalibs/names/curand.def"
#include "agpusim/cudalibs/names/cusolver.def"
#include "agpusim/cudalibs/names/cusparse.def"
#undef X
}

namespace agpusim::test {

template <class T>
using Values = std::vector<T>;

/// An array of the device with these values; `managed`: the host may use it too.
template <class T>
class Array {
 public:
  explicit Array(const Values<T>& values, bool managed = false) : size_(values.size()) {
    const std::size_t bytes = size_ * sizeof(T);
    EXPECT((managed ? cudaMallocManaged(&begin_, bytes, 1) : cudaMalloc(&begin_, bytes)) == 0);
    EXPECT(cudaMemcpy(begin_, values.data(), bytes, by_address) == success);
  }
  ~Array() { EXPECT(cudaFree(begin_) == success); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  [[nodiscard]] T* get() const { return static_cast<T*>(begin_); }
  [[nodiscard]] Values<T> values() const {
    Values<T> all(size_);
    EXPECT(cudaMemcpy(all.data(), begin_, size_ * sizeof(T), by_address) == success);
    return all;
  }

 private:
  void* begin_ = nullptr;
  std::size_t size_;
};

void check_blas(Random& random);
void check_random();

}  // namespace agpusim::test
