#pragma once

#include <utility>

#include "agpusim/model/agpu/device.hpp"

namespace agpusim {

using I32 = std::int32_t;

/// A kernel made of a lambda, for tests of the machine itself.
template <class Body>
struct TestKernel {
  static constexpr const char* name = "test_kernel";
  Body body;

  template <class... Args>
  void operator()(Args&&... args) const {
    body(std::forward<Args>(args)...);
  }
};
template <class Body>
TestKernel(Body) -> TestKernel<Body>;

/// AGPU with b lanes per multiprocessor, W warps per task and k multiprocessors.
inline AgpuSpec small_machine(std::int32_t b = 8, std::int32_t warps = 1, std::int64_t k = 4,
                              std::int64_t shared_words = 256) {
  return AgpuSpec{
      .cores = b * k, .block_words = b, .shared_words = shared_words, .width = b * warps};
}

}  // namespace agpusim
