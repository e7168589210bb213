#pragma once

#include "agpusim/algorithms/registry.hpp"

// Bounds of the sorts by rounds of merges: S keys of a base run (parameter tile), d runs of a
// group, buffers of r rows of V keys (parameter rows), regions of g keys (parameter region).
namespace agpusim::multiway_merge_sort {

/// Where one task merges a group (Koike and Sadakane, section 5.2): the last rounds have fewer
/// groups than multiprocessors.
[[nodiscard]] Bound time_of_groups();
[[nodiscard]] Bound io_of_groups();

/// Where groups are cut into regions that are merged independently.
[[nodiscard]] Bound time_of_regions();
[[nodiscard]] Bound io_of_regions();

/// Where the last rounds merge pieces between u-1 pivots of l runs (their section 5.3).
[[nodiscard]] Bound time_of_pivots();
[[nodiscard]] Bound io_of_pivots();

}  // namespace agpusim::multiway_merge_sort
