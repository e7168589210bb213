#pragma once

#include <cstdlib>
#include <optional>
#include <string>

#include "agpusim/model/error.hpp"
#include "agpusim/tests/support/catch.hpp"
#include "agpusim/validation/measure/cuda_support.hpp"

namespace agpusim::test {

/// Why no test can run on a GPU here; empty when one can.
inline std::string why_no_gpu() {
  const std::optional<CudaSupport> cuda = cuda_support();
  if (!cuda) return "built without CUDA";
  try {
    static_cast<void>(cuda->environment());
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

inline bool gpu_required() {
  const char* const value = std::getenv("AGPUSIM_REQUIRE_GPU");
  return value != nullptr && std::string(value) == "1";
}

}  // namespace agpusim::test

/// Ends the test where there is no GPU: as skipped, or as failed when AGPUSIM_REQUIRE_GPU is 1.
#define AGPUSIM_NEED_GPU()                                            \
  do {                                                                \
    const std::string why = agpusim::test::why_no_gpu();              \
    if (!why.empty() && agpusim::test::gpu_required()) {              \
      FAIL("AGPUSIM_REQUIRE_GPU is 1, but there is no GPU: " << why); \
    }                                                                 \
    if (!why.empty()) SKIP("no GPU: " << why);                        \
  } while (false)
