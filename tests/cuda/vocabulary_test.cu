// The vocabulary on the device; vocabulary_test.cpp has it on the abstract machine.
#include "agpusim/cuda/device.cuh"
#include "agpusim/tests/cuda/control_flow.hpp"
#include "agpusim/tests/cuda/gpu.hpp"

namespace agpusim::test {

TEST_CASE("on CUDA operators and functions mean what C++ means by them", "[gpu][lanes]") {
  AGPUSIM_NEED_GPU();
  for (const std::int32_t width : {32, 64}) {
    AgpuSpec spec;
    spec.width = width;
    CudaDevice device(spec);
    check_vocabulary(device, width);
  }
}

TEST_CASE("on CUDA control flow, memory and atomics mean loops", "[gpu][lanes]") {
  AGPUSIM_NEED_GPU();
  for (const std::int32_t width : {32, 128}) {
    AgpuSpec spec;
    spec.width = width;
    CudaDevice device(spec);
    check_words(device, width);
  }
}

}  // namespace agpusim::test
