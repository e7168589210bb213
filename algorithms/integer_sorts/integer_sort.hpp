#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/algorithms/integer_sorts/histogram/program.hpp"
#include "agpusim/algorithms/registry.hpp"

// What the rows of the sorts by histogram and prefix sums have in common.
namespace agpusim {

/// Throws UsageError when a task's segment has more than 2^30 elements.
void check_segments(const RunConfig& config);
/// Throws UsageError when `how` cuts `longest` elements into segments of more than 2^30.
void check_segments(const RunConfig& config, const Segmentation& how, std::int64_t longest);
/// Throws UsageError when `range` bins do not fit into M words.
void check_shared_bins(const RunConfig& config);

/// Sets types, inputs, min_n and given_values of a row over integer keys.
void complete_integer_row(Algorithm& row);

/// Number, minimum and range of a run's keys.
[[nodiscard]] histogram::Bins bins_of(const RunConfig& config);
/// The bin (key - min) of every key of a run.
[[nodiscard]] std::vector<std::int32_t> bins_of_keys(const RunConfig& config);

/// What the b keys of a warp are expected to meet.
struct KeysOfWarp {
  double blocks = 1;  ///< D, distinct blocks of bins
  double equal = 1;   ///< kappa, most keys of one value
};
[[nodiscard]] KeysOfWarp keys_of_warp(const RunConfig& config);
/// len, the values that are expected to occur among the keys.
[[nodiscard]] double expected_values(const RunConfig& config);

/// T and Q of a histogram's phases, as terms of a bound; R = range.
[[nodiscard]] Bound histogram_time(histogram::Place place);
[[nodiscard]] Bound histogram_io(histogram::Place place);
/// Where the keys are counted, for the help of a variant.
[[nodiscard]] std::string histogram_help(histogram::Place place);
/// What D and kappa are, for the end of a bound.
inline constexpr const char* keys_of_warp_text = "; of b keys: D blocks of bins, kappa equal";

/// Checksum of the sorted keys of a run.
[[nodiscard]] std::uint64_t sorted_keys_checksum(const RunConfig& config);

/// Every block is read, and every block is written (theory 1.5, invariant 5).
[[nodiscard]] LowerBound integer_sort_bound(const RunConfig& config);

}  // namespace agpusim
