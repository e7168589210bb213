#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
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
  double share = 0;       ///< share of the keys with the most frequent value
  double rare = 1;        ///< share of the keys whose values are seldom
  bool in_order = false;  ///< hardly a key is less than one before it
};
/// Keys of a sample, or all of an input that has fewer.
inline constexpr std::int64_t sample_keys = 4096;
/// From a sample of the keys in their order; `differ` cannot be seen in a sample and stays false.
[[nodiscard]] Probe probe(const std::vector<std::int32_t>& sample);

/// Bytes of shared memory that the counters of a CTA may take, of compute capability 9.0.
inline constexpr std::int64_t shared_bytes = 232'448;

/// Constants of a device, fitted to timings of the methods: those of its file that are named
/// counting_sort_ and as the member, and its multiprocessors.
struct Rates {
  double multiprocessors = 0;
  double bandwidth = 0;           ///< GB/s, of copies
  double launch = 0;              ///< us, of a launch
  double split_rate = 0;          ///< keys/ns, of a split
  double scatter_rate = 0;        ///< keys/ns, of few bytes that a bucket's CTA counts
  double split_share = 0;         ///< share of both times that the partition takes
  double radix_rate = 0;          ///< keys/ns, of a pass of cub::DeviceRadixSort
  double radix_launch = 0;        ///< us, of such a pass, whatever n
  double radix_tile_launch = 0;   ///< us, of a sort of one tile beside its digits
  double radix_tile_digit = 0;    ///< us, of each digit of one tile
  double one_launch = 0;          ///< us, of a cooperative launch and its barriers
  double adds_in_l2 = 0;          ///< 1/ns, atomic additions to neighbouring words
  double sums_of_cta = 0;         ///< bins/ns, that one CTA sums
  double words_bin = 0;           ///< ns, of a bin of words, written and read
  double words_launches = 0;      ///< launches of words, by what they take
  double packed_launches = 0;     ///< launches of packed counters beside those of their passes
  double partition_launches = 0;  ///< launches of partition, by what they take
  double distinct_launches = 0;   ///< launches of distinct, by what they take
  double few_launches = 0;        ///< launches of few_values, by what they take
  double skewed = 0;            ///< passes over keys of which many are equal, in reads of them all
  double even = 0;              ///< passes over other keys
  double frequent = 0;          ///< share of the keys from which a value makes them skewed
  double bins_in_l2 = 0;        ///< more are not in the cache together
  double search = 0;            ///< us, of a search for the next key
  double places_of_device = 0;  ///< keys that fill go by go
  double from_global = 0;       ///< us, of 32 runs looked up in global memory
  double from_large = 0;        ///< us, in more of it than a near cache holds
  double from_shared = 0;       ///< us, in shared memory
  double few_look_up = 0;       ///< ns, of a key in a table of few values
  double few_more_values = 0;   ///< ns, more of it in a table of 100 values or more
  double few_chain = 0;         ///< ns, more of it for each value above 1000
  double few_order = 0;         ///< us, times the root of the values, to put them in order
};
/// From the constants of a device file by their names.
[[nodiscard]] Rates rates_of(const std::function<double(std::string_view)>& constant);

/// Whether the method sorts such keys at all; few_values and distinct may fail on the keys.
[[nodiscard]] bool possible(Method method, const Problem& problem);

/// Microseconds of a sort.
[[nodiscard]] double predicted_us(Method method, const Problem& problem, const Probe& probe,
                                  const Rates& rates);

/// The method to take and why, for example "packed_16: 567 us; next radix: 3210 us".
struct Choice {
  Method method = Method::radix;
  double us = 0;
  std::string reason;
};
[[nodiscard]] Choice choose(const Problem& problem, const Probe& probe, const Rates& rates);

}  // namespace agpusim::counting_sort
