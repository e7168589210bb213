// Every method of the sorts from counts on the GPU, against std::sort.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/integer_keys.hpp"
#include "agpusim/algorithms/integer_sorts/counting_sort/plan.hpp"
#include "agpusim/tests/cuda/gpu.hpp"

namespace agpusim {
namespace {

RunConfig keys(const std::string& variant, const std::string& input, std::int64_t n,
               std::int64_t min, std::int64_t range) {
  return RunConfig{.algorithm = "counting_sort",
                   .variant = variant,
                   .type = "i32",
                   .n = n,
                   .input = input,
                   .parameters = {{"min", min}, {"range", range}, {"values", range}}};
}

void check_sort(const RunConfig& config) {
  std::vector<std::int32_t> sorted = generate_keys(config);
  std::sort(sorted.begin(), sorted.end());
  INFO(config.variant << " " << config.input << " n = " << config.n
                      << " min = " << config.parameters.at("min")
                      << " range = " << config.parameters.at("range"));
  CHECK_NOTHROW(cuda_support()->run_once(
      config, checksum(std::vector<std::uint64_t>(sorted.begin(), sorted.end()))));
}

std::vector<std::string> variants() {
  std::vector<std::string> names = {"auto"};
  for (const auto method : counting_sort::methods()) names.push_back(to_string(method));
  return names;
}

}  // namespace

TEST_CASE("the sorts from counts are correct on the GPU", "[gpu]") {
  AGPUSIM_NEED_GPU();
  for (const std::string& variant : variants()) {
    check_sort(keys(variant, "uniform", 0, 0, 0));
    for (const std::int64_t n : {1, 2, 3, 31, 513, 4096, 16'385, 100'003, 1'000'003}) {
      for (const std::int64_t min : {0, -7, -1'000'000}) {
        for (const std::int64_t range : {1, 2, 255, 4096, 30'001, 65'536, 200'001, 3'000'000}) {
          const bool fits =
              counting_sort::possible(variant == "auto" ? counting_sort::Method::radix
                                                        : counting_sort::parse_method(variant),
                                      {n, static_cast<std::int32_t>(min), range});
          if (!fits) continue;
          for (const char* const input : {"uniform", "zipf", "equal", "sorted"}) {
            check_sort(keys(variant, input, n, min, range));
          }
          if (n <= range) check_sort(keys(variant, "distinct", n, min, range));
        }
      }
    }
  }
}

TEST_CASE("the sorts from counts name a method that cannot sort a range", "[gpu]") {
  AGPUSIM_NEED_GPU();
  CHECK_THROWS_WITH(cuda_support()->run_once(keys("words", "uniform", 10, 0, 100'000), 0),
                    Catch::Matchers::ContainsSubstring("words") &&
                        Catch::Matchers::ContainsSubstring("range of 100000"));
}

}  // namespace agpusim
