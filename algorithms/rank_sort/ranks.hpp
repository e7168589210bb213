#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace agpusim::rank_sort {

/// The place of every key in the sorted array; equal keys keep their order.
template <class Key>
[[nodiscard]] std::vector<std::int32_t> ranks(const std::vector<Key>& keys) {
  std::vector<std::int32_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t x, std::int32_t y) {
    return keys[static_cast<std::size_t>(x)] < keys[static_cast<std::size_t>(y)];
  });
  std::vector<std::int32_t> result(keys.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    result[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
  }
  return result;
}

}  // namespace agpusim::rank_sort
