#include <algorithm>

#include "agpusim/model/agpu/device.hpp"
#include "agpusim/tests/cuda/vocabulary.hpp"
#include "agpusim/tests/support/catch.hpp"

namespace agpusim::test {

VocabularyResult simulated_vocabulary(const AgpuSpec& spec) {
  SimulatedDevice device(spec);
  return run_vocabulary(device, spec.width);
}

TEST_CASE("the kernel that uses the whole vocabulary keeps the rules of the abstract machine") {
  for (const std::int32_t width : {32, 64, 1024}) {
    AgpuSpec spec;
    spec.width = width;
    const VocabularyResult result = simulated_vocabulary(spec);
    CHECK(result.out[3] == 7);
    // Lanes of even number share the first slot of each total.
    std::uint64_t sum = 0;
    std::uint64_t largest = 0;
    std::uint64_t smallest = ~std::uint64_t{0};
    for (std::size_t i = 0; i < result.out.size(); i += 2) {
      sum += result.out[i];
      largest = std::max<std::uint64_t>(largest, result.out[i]);
      smallest = std::min<std::uint64_t>(smallest, result.out[i]);
    }
    CHECK(result.totals[0] == sum);
    CHECK(result.totals[2] == largest);
    CHECK(result.totals[4] == smallest);
  }
}

}  // namespace agpusim::test
