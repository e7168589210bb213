#include "agpusim/algorithms/common/pram/keys.hpp"

#include <algorithm>
#include <limits>

#include "agpusim/algorithms/common/pram/numbers.hpp"

namespace agpusim {

std::vector<Parameter> pram_key_parameters() {
  return {
      {"min", "smallest value a key may have (minVal)",
       [](const RunConfig&) { return std::int64_t{0}; }, std::numeric_limits<std::int32_t>::min()},
      {"range", "values a key may have: min <= key < min + range (maxVal - minVal)",
       [](const RunConfig& config) { return std::max<std::int64_t>(config.n, 1); }, 0},
      {"values", "values that the input draws from, spread evenly over the range (len)",
       [](const RunConfig& config) { return config.parameters.at("range"); }, 0}};
}

KeyShape pram_key_shape(const RunConfig& config) {
  return {config.n, config.parameters.at("min"), config.parameters.at("range"),
          config.parameters.at("values")};
}

void check_pram_keys(const RunConfig& config) {
  KeyShape shape = pram_key_shape(config);
  const bool too_many_distinct = config.input == "distinct" && shape.n > shape.range;
  // One key shows what is wrong with the shape, without the memory that all keys would need.
  if (!has_given_values(config) && !too_many_distinct) shape.n = std::min<std::int64_t>(shape.n, 1);
  static_cast<void>(generate_keys(config.input, shape, config.seed));
}

std::vector<std::int64_t> generate_pram_keys(const RunConfig& config) {
  const std::vector<std::int32_t> keys =
      generate_keys(config.input, pram_key_shape(config), config.seed);
  return {keys.begin(), keys.end()};
}

}  // namespace agpusim
