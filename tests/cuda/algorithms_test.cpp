// Every algorithm on the GPU, against its sequential reference.
#include <cstdint>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/tests/cuda/gpu.hpp"

namespace agpusim {
namespace {

/// Runs a form of `row`; returns whether its machine can.
bool run_form(const Algorithm& row, const CudaSupport& cuda, RunConfig config) {
  try {
    config = resolve(row, config);
  } catch (const UsageError&) {
    return false;
  }
  INFO(row.name << " " << config.variant << " " << config.type << " " << config.input
                << " n = " << config.n << " V = " << config.spec.width);
  CHECK_NOTHROW(cuda.run_once(config, row.reference(config)));
  return true;
}

}  // namespace

TEST_CASE("every algorithm is correct on the GPU", "[gpu]") {
  AGPUSIM_NEED_GPU();
  const CudaSupport cuda = *cuda_support();
  Registry registry;
  register_all(registry);
  for (const Algorithm& row : registry.on_agpu()) {
    for (RunConfig config : forms_of(row)) {
      int runs = 0;
      for (const std::int64_t n : {1, 2, 31, 32, 33, 1000, 4096, 100'003, 1 << 18}) {
        for (const std::int32_t width : {32, 64, 256, 1024}) {
          config.n = n;
          config.spec.width = width;
          runs += run_form(row, cuda, config) ? 1 : 0;
        }
      }
      // Other kinds of inputs make other accesses, not other launches: few sizes suffice.
      for (const std::string& input : row.inputs) {
        for (const std::int64_t n : {33, 4096, 100'003}) {
          config.n = n;
          config.input = input;
          config.spec.width = 32;
          runs += run_form(row, cuda, config) ? 1 : 0;
        }
      }
      INFO(row.name << " " << config.variant << " " << config.type);
      CHECK(runs > 0);
    }
  }
}

TEST_CASE("a wrong result on the GPU is a Mismatch that names the run", "[gpu]") {
  AGPUSIM_NEED_GPU();
  Registry registry;
  register_all(registry);
  const Algorithm& row = registry.find("vector_add");
  RunConfig config{.n = 1000};
  config = resolve(row, config);
  const std::uint64_t wrong = row.reference(config) + 1;
  CHECK_THROWS_WITH(cuda_support()->run_once(config, wrong),
                    Catch::Matchers::ContainsSubstring("vector_add") &&
                        Catch::Matchers::ContainsSubstring("n = 1000"));
}

}  // namespace agpusim
