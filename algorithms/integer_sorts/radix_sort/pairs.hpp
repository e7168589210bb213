#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/segments.hpp"
#include "agpusim/algorithms/integer_sorts/radix_sort/digit.hpp"
#include "agpusim/model/run/run.hpp"

// The pairs of a run of radix_sort, and how it is cut.
namespace agpusim::radix_sort {

/// Calls f with a value of the type of the values that the keys carry: 32 or 64 bits.
template <class F>
auto with_value(const RunConfig& config, F f) {
  return config.variant == "values_64" ? f(std::uint64_t{}) : f(std::uint32_t{});
}

/// Neighbours that a lane of the scan of counts folds; they fit where a tile of pairs does.
inline constexpr std::int32_t scan_per_lane = 9;

/// Bits of key - min over the range, at least one.
[[nodiscard]] std::int32_t key_bits(const RunConfig& config);
/// The digits of a run's keys from the lowest on: none has more than `digit_bits` bits, or two bits
/// more than another.
[[nodiscard]] std::vector<Digit> digits_of(const RunConfig& config);
/// The segments of the tasks: whole tiles.
[[nodiscard]] Cut cut_of(const RunConfig& config);

/// The keys of a run.
[[nodiscard]] std::vector<std::int32_t> keys_of(const RunConfig& config);
/// Key number i carries a value that names i in all its bits.
template <class Value>
[[nodiscard]] std::vector<Value> values_of(std::int64_t n) {
  std::vector<Value> values(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<Value>(i * 0x9e3779b97f4a7c15ULL);
  }
  return values;
}

/// Checksum of sorted pairs.
template <class Value>
[[nodiscard]] std::uint64_t checksum_of(const std::vector<std::uint32_t>& keys,
                                        const std::vector<Value>& values) {
  return checksum<std::uint32_t>(keys) ^ mix64(checksum<Value>(values));
}

}  // namespace agpusim::radix_sort
