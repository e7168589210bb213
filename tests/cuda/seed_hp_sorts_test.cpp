// The paper's pipelines and CUB on the GPU, against std::sort.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/integer_keys.hpp"
#include "agpusim/tests/cuda/gpu.hpp"

namespace agpusim {
namespace {

using Program = std::pair<std::string, std::string>;  // algorithm, variant

const std::vector<Program> any_keys = {
    {"cub_radix_sort", "all_bits"},
    {"cub_radix_sort", "fitted_bits"},
    {"seed_hp_sort", ""},
    {"seed_zero_compressed_hp_sort", "host_len"},
    {"seed_zero_compressed_hp_sort", "bound_len"},
};

RunConfig keys(const std::string& input, std::int64_t n, std::int64_t min, std::int64_t range,
               std::int64_t values) {
  return RunConfig{.type = "i32",
                   .n = n,
                   .input = input,
                   .parameters = {{"min", min}, {"range", range}, {"values", values}}};
}

std::uint64_t sorted_checksum(const RunConfig& config) {
  std::vector<std::int32_t> sorted = generate_keys(config);
  std::sort(sorted.begin(), sorted.end());
  return checksum(std::vector<std::uint64_t>(sorted.begin(), sorted.end()));
}

void check_sorts(const Program& program, RunConfig config) {
  config.algorithm = program.first;
  config.variant = program.second;
  INFO(program.first << " " << program.second << " " << config.input << " n = " << config.n
                     << " min = " << config.parameters.at("min")
                     << " range = " << config.parameters.at("range")
                     << " values = " << config.parameters.at("values"));
  CHECK_NOTHROW(cuda_support()->run_once(config, sorted_checksum(config)));
}

}  // namespace

TEST_CASE("CUB and the paper's sorts are correct on the GPU", "[gpu]") {
  AGPUSIM_NEED_GPU();
  for (const Program& program : any_keys) {
    check_sorts(program, keys("uniform", 0, 0, 0, 0));
    check_sorts(program, keys("uniform", 0, 5, 10, 10));
    for (const std::int64_t n : {1, 2, 255, 256, 257, 4096, 100'003}) {
      for (const std::int64_t min : {0, 1, 1000, -7, -1'000'000}) {
        check_sorts(program, keys("uniform", n, min, 1, 1));
        check_sorts(program, keys("uniform", n, min, 256, 256));
        check_sorts(program, keys("uniform", n, min, 1000, 3));
        check_sorts(program, keys("uniform", n, min, 300'000, 300'000));
        check_sorts(program, keys("equal", n, min, 257, 257));
        check_sorts(program, keys("zipf", n, min, 5000, 5000));
        check_sorts(program, keys("distinct", n, min, n, n));
      }
    }
  }
}

TEST_CASE("the paper's 1-H-P sort is correct on distinct keys on the GPU", "[gpu]") {
  AGPUSIM_NEED_GPU();
  const Program program{"seed_one_hp_sort", ""};
  check_sorts(program, keys("distinct", 0, 0, 0, 0));
  for (const std::int64_t n : {1, 2, 255, 256, 257, 4096, 100'003}) {
    for (const std::int64_t min : {0, 1, -7, -1'000'000}) {
      for (const std::int64_t factor : {1, 2, 5}) {
        check_sorts(program, keys("distinct", n, min, factor * n, factor * n));
      }
    }
  }
}

TEST_CASE("the paper's 1-H-P sort names a key that occurs twice", "[gpu]") {
  AGPUSIM_NEED_GPU();
  RunConfig config = keys("values:4,-3,9,-3", 4, -5, 20, 20);
  config.algorithm = "seed_one_hp_sort";
  CHECK_THROWS_AS(cuda_support()->run_once(config, sorted_checksum(config)), UsageError);
  CHECK_THROWS_WITH(cuda_support()->run_once(config, sorted_checksum(config)),
                    Catch::Matchers::ContainsSubstring("key -3 occurs 2 times"));
}

TEST_CASE("the peers name an unknown variant and another type", "[gpu]") {
  AGPUSIM_NEED_GPU();
  RunConfig config = keys("uniform", 10, 0, 10, 10);
  config.algorithm = "cub_radix_sort";
  config.variant = "fast";
  CHECK_THROWS_WITH(cuda_support()->run_once(config, 0),
                    Catch::Matchers::ContainsSubstring("'fast'") &&
                        Catch::Matchers::ContainsSubstring("fitted_bits"));
  config.variant = "all_bits";
  config.type = "u64";
  CHECK_THROWS_AS(cuda_support()->run_once(config, 0), UsageError);
}

}  // namespace agpusim
