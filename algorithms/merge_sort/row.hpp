#pragma once

#include "agpusim/algorithms/registry.hpp"

namespace agpusim::multiway_merge_sort {

/// A row for sorts by rounds of merges with a heap, without name, texts and variants. A row without
/// the parameter d merges two runs at a time.
[[nodiscard]] Algorithm sort_row();

}  // namespace agpusim::multiway_merge_sort
