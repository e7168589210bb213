#include "agpusim/algorithms/integer_sorts/radix_sort/pairs.hpp"

#include <algorithm>
#include <bit>

#include "agpusim/algorithms/common/integer_keys.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim::radix_sort {

std::int32_t key_bits(const RunConfig& config) {
  const auto largest =
      static_cast<std::uint64_t>(std::max<std::int64_t>(config.parameters.at("range"), 1)) - 1;
  return std::max(1, static_cast<int>(std::bit_width(largest)));
}

std::vector<Digit> digits_of(const RunConfig& config) {
  const std::int64_t bits = key_bits(config);
  const std::int64_t passes = ceil_div(bits, config.parameters.at("digit_bits"));
  const auto min_key = static_cast<std::uint32_t>(config.parameters.at("min"));
  std::vector<Digit> digits;
  std::int32_t shift = 0;
  for (std::int64_t pass = 0; pass < passes; ++pass) {
    const auto here = static_cast<std::int32_t>(bits / passes + (pass < bits % passes ? 1 : 0));
    digits.push_back({min_key, shift, here});
    shift += here;
  }
  return digits;
}

Cut cut_of(const RunConfig& config) {
  return {config.n,
          {config.spec.width, config.parameters.at("tasks"), pairs_per_lane, pairs_per_lane}};
}

std::vector<std::int32_t> keys_of(const RunConfig& config) {
  return generate_keys(config.input, key_shape(config), config.seed, all_keys);
}

}  // namespace agpusim::radix_sort
