// Every algorithm on the GPU, against its sequential reference.
#include <cstdint>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/tests/cuda/gpu.hpp"

namespace agpusim {
namespace {

/// Runs every variant and type of `row` with n elements on tasks of `width` lanes; the runs that
/// this machine refuses are left out. Returns how many there were.
int run_forms(const Algorithm& row, const CudaSupport& cuda, std::int64_t n, std::int32_t width) {
  int runs = 0;
  const auto variants = row.variants.empty() ? std::vector<std::string>{""} : row.variants;
  for (const std::string& variant : variants) {
    for (const std::string& type : row.types) {
      RunConfig config;
      config.variant = variant;
      config.type = type;
      config.input = row.inputs.front();
      config.n = n;
      config.spec.width = width;
      try {
        config = resolve(row, config);
      } catch (const UsageError&) {
        continue;
      }
      INFO(row.name << " " << variant << " " << type << " n = " << n << " V = " << width);
      CHECK_NOTHROW(cuda.run_once(config, row.reference(config)));
      ++runs;
    }
  }
  return runs;
}

}  // namespace

TEST_CASE("every algorithm is correct on the GPU", "[gpu]") {
  AGPUSIM_NEED_GPU();
  const CudaSupport cuda = *cuda_support();
  Registry registry;
  register_all(registry);
  for (const Algorithm& row : registry.all()) {
    int runs = 0;
    for (const std::int64_t n : {1, 2, 31, 32, 33, 1000, 4096, 100'003, 1 << 18}) {
      for (const std::int32_t width : {32, 64, 256, 1024}) runs += run_forms(row, cuda, n, width);
    }
    INFO(row.name);
    CHECK(runs > 0);
  }
}

TEST_CASE("a wrong result on the GPU is a Mismatch that names the run", "[gpu]") {
  AGPUSIM_NEED_GPU();
  Registry registry;
  register_all(registry);
  const Algorithm& row = registry.find("vector_add");
  RunConfig config;
  config.n = 1000;
  config = resolve(row, config);
  const std::uint64_t wrong = row.reference(config) + 1;
  CHECK_THROWS_WITH(cuda_support()->run_once(config, wrong),
                    Catch::Matchers::ContainsSubstring("vector_add") &&
                        Catch::Matchers::ContainsSubstring("n = 1000"));
}

}  // namespace agpusim
