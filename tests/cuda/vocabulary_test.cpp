// The vocabulary on the abstract machine; vocabulary_test.cu has it on the device.
#include <utility>

#include "agpusim/model/agpu/trigonometry.hpp"
#include "agpusim/tests/cuda/control_flow.hpp"
#include "agpusim/tests/support/kernels.hpp"

namespace agpusim::test {

namespace {

/// Tasks of a warp, of several, and of lanes that are neither a power of two nor a multiple of the
/// host's vectors.
template <class Check>
void on_machines(Check check) {
  for (const auto& [b, warps] : {std::pair{32, 1}, std::pair{32, 4}, std::pair{7, 5}}) {
    SimulatedDevice device(small_machine(b, warps, 4, 1024));
    check(device, b * warps);
  }
}

}  // namespace

TEST_CASE("operators and functions of lanes mean what C++ means by them", "[model][lanes]") {
  on_machines([](auto& device, std::int32_t width) { check_vocabulary(device, width); });
}

TEST_CASE("control flow, memory and atomics mean the loops they stand for", "[model][lanes]") {
  on_machines([](auto& device, std::int32_t width) { check_words(device, width); });
}

}  // namespace agpusim::test
