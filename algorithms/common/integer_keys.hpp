#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "agpusim/model/run/algorithm.hpp"

namespace agpusim {

/// The keys of an integer sort: min <= key < min + range (seed 000: minVal, maxVal). `distinct` is
/// seed 000's len where the input draws from fewer values than the range holds, so that
/// delta = n/range and sigma = range/distinct.
struct KeyShape {
  std::int64_t n = 0;
  std::int64_t min = 0;
  std::int64_t range = 0;
  std::int64_t values = 0;  ///< len: values the input draws from, spread evenly over the range

  friend bool operator==(const KeyShape&, const KeyShape&) = default;
};

/// The lowest bits that a radix sort needs for keys min <= key < min + range of 32 bits: those
/// above are the same in all of them. At least 1.
[[nodiscard]] int differing_bits(std::int64_t min, std::int64_t range);

/// Kinds of keys, the same on every machine for one seed:
/// uniform (each key one of `values` values, equally likely), distinct (no key twice, in random
/// order), equal, sorted, reversed, zipf (the i-th of the `values` values with a probability of
/// about 1/i). Besides these, "values:3,3,1,7" gives the keys themselves.
[[nodiscard]] const std::vector<std::string>& key_kinds();

/// One line of explanation of a kind of keys.
[[nodiscard]] std::string describe_keys(const std::string& kind);

/// The shape of a run: its parameters "min", "range" and "values".
[[nodiscard]] KeyShape key_shape(const RunConfig& config);

/// The longest range of a sort that has a counter of 32 bits for each value, and that of all keys.
inline constexpr std::int64_t longest_counted = std::numeric_limits<std::int32_t>::max();
inline constexpr std::int64_t all_keys = std::int64_t{1} << 32;

/// Throws UsageError where generate_keys does, without making keys other than literal ones.
void check_keys(const std::string& kind, const KeyShape& shape,
                std::int64_t longest = longest_counted);

/// For the keys of a run.
void check_keys(const RunConfig& config);

/// The keys of a kind. Throws UsageError: an unknown kind, distinct keys with n > range, and, for
/// "values:...", text that is no number, a number of keys other than n, or a key outside the range
/// (the first offender is named), and a range of more than `longest` values.
[[nodiscard]] std::vector<std::int32_t> generate_keys(const std::string& kind,
                                                      const KeyShape& shape, std::uint64_t seed,
                                                      std::int64_t longest = longest_counted);

/// The keys of a run.
[[nodiscard]] std::vector<std::int32_t> generate_keys(const RunConfig& config);
/// The keys of a run in the words of a PRAM.
[[nodiscard]] std::vector<std::int64_t> generate_pram_keys(const RunConfig& config);

/// The parameters "min" (default 0), "range" (default max(n, 1)) and "values" (default range) for
/// the row of an integer sort.
[[nodiscard]] std::vector<Parameter> key_parameters();

}  // namespace agpusim
