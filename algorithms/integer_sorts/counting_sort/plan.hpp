#pragma once

#include <cstdint>
#include <string>
#include <vector>

// Which of the sorts from counts, or CUB's radix sort, takes a problem least time.
namespace agpusim::counting_sort {

/// Keys min <= key < min + range.
struct Problem {
  std::int64_t n = 0;
  std::int32_t min = 0;
  std::int64_t range = 0;  ///< up to 2^32
};

enum class Method {
  one_launch,  ///< counts in shared memory, everything in one launch
  words,       ///< counters of 32 bits in shared memory
  packed_16,   ///< counters of 16 bits, in as many passes over the keys as needed
  packed_8,    ///< counters of 8 bits, likewise
  partition,   ///< by the high bits first, then counters of one part of the range
  distinct,    ///< bits instead of counters; keys that differ
  few_values,  ///< a hash table of the different keys
  radix        ///< cub::DeviceRadixSort by the bits of the range
};

/// Every method, in the order above.
[[nodiscard]] const std::vector<Method>& methods();
[[nodiscard]] std::string to_string(Method method);
/// Throws UsageError with the known names.
[[nodiscard]] Method parse_method(const std::string& name);

/// What one knows of the keys besides their range.
struct Probe {
  bool differ = false;    ///< no key occurs twice
  bool few = false;       ///< few different values: few_values takes them
  double values = 0;      ///< about how many, where they are few
  double share = 0;       ///< of the most frequent value
  double rare = 1;        ///< share of the keys whose values are seldom
  bool in_order = false;  ///< hardly a key is less than one before it
};
/// Keys of a sample, or all of an input that has fewer.
inline constexpr std::int64_t sample_keys = 4096;
/// From a sample of the keys in their order; `differ` cannot be seen in a sample and stays false.
[[nodiscard]] Probe probe(const std::vector<std::int32_t>& sample);

/// Constants of a device; the defaults are those of an H200, calibrated with timings of the
/// methods.
struct Rates {
  double bandwidth = 4240;    ///< GB/s of copies
  double launch = 3.3;        ///< us of a launch
  double shared_adds = 2200;  ///< atomic additions per ns in shared memory, spread over the banks
  double split_rate = 245;    ///< keys per ns of a split
  double scatter_rate = 650;  ///< keys of few bytes per ns that a bucket's CTA counts
  double radix_rate = 184;    ///< keys per ns of a pass of cub::DeviceRadixSort
  double radix_launch = 9;    ///< us of such a pass that do not depend on n
  std::int32_t multiprocessors = 132;
  std::int64_t shared_bytes = 232448;  ///< of a CTA
};

/// Whether the method sorts such keys at all; few_values and distinct may fail on the keys.
[[nodiscard]] bool possible(Method method, const Problem& problem, const Rates& rates = {});

/// Microseconds of a sort.
[[nodiscard]] double predicted_us(Method method, const Problem& problem, const Probe& probe,
                                  const Rates& rates = {});

/// The method to take and why, for example "packed_16: 567 us; next radix: 3210 us".
struct Choice {
  Method method = Method::radix;
  double us = 0;
  std::string reason;
};
[[nodiscard]] Choice choose(const Problem& problem, const Probe& probe, const Rates& rates = {});

}  // namespace agpusim::counting_sort
