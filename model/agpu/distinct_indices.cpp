#include "agpusim/model/agpu/distinct_indices.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>

#include "agpusim/model/agpu/spec.hpp"

namespace agpusim {
namespace {

constexpr std::size_t vector_lanes = 16;
using Vector = std::int32_t __attribute__((vector_size(vector_lanes * sizeof(std::int32_t))));

}  // namespace

DistinctIndices::DistinctIndices() : sorted_(max_width), times_(max_width) {}

void DistinctIndices::set_equal(std::int32_t index, std::int32_t times) {
  sorted_[0] = index;
  index_ = sorted_.data();
  times_[0] = times;
  count_ = 1;
  most_ = times;
}

void DistinctIndices::find(const std::int32_t* index, std::int32_t count) {
  const std::int32_t* const end = index + count;
  if (std::adjacent_find(index, end, std::greater_equal<>()) == end) {
    index_ = index;
    set_distinct(count);
    return;
  }
  index_ = sorted_.data();
  if (std::adjacent_find(index, end, std::less_equal<>()) == end) {
    std::reverse_copy(index, end, sorted_.begin());
    set_distinct(count);
    return;
  }
  const auto lanes = static_cast<std::size_t>(count);
  if (lanes <= vector_lanes) {
    find_by_rank<1>(index, count);
  } else if (lanes <= 2 * vector_lanes) {
    find_by_rank<2>(index, count);
  } else if (lanes <= 4 * vector_lanes) {
    find_by_rank<4>(index, count);
  } else {
    find_by_sort(index, count);
  }
}

void DistinctIndices::set_distinct(std::int32_t count) {
  std::fill_n(times_.begin(), count, 1);
  count_ = count;
  most_ = 1;
}

/// Sorts by counting for each index the smaller ones: equal indices meet in one place and leave the
/// next places empty.
template <std::size_t vectors>
void DistinctIndices::find_by_rank(const std::int32_t* index, std::int32_t count) {
  alignas(Vector) std::int32_t key[vectors * vector_lanes] = {};
  std::memcpy(key, index, static_cast<std::size_t>(count) * sizeof(std::int32_t));
  Vector lanes[vectors];
  Vector smaller[vectors] = {};
  std::memcpy(lanes, key, sizeof(key));
  for (std::int32_t j = 0; j < count; ++j) {
    const Vector other = Vector{} + key[j];
#pragma GCC unroll 4
    for (std::size_t v = 0; v < vectors; ++v) smaller[v] -= other < lanes[v];
  }
  alignas(Vector) std::int32_t rank[vectors * vector_lanes];
  std::memcpy(rank, smaller, sizeof(rank));
  std::int32_t* const sorted = sorted_.data();
  std::uint64_t filled = 0;
  for (std::int32_t i = 0; i < count; ++i) {
    sorted[rank[i]] = key[i];
    filled |= std::uint64_t{1} << rank[i];
  }
  count_ = std::popcount(filled);
  if (count_ == count) {
    set_distinct(count);
    return;
  }
  most_ = 0;
  for (std::int32_t i = 0; i < count_; ++i) {
    const std::int32_t place = std::countr_zero(filled);
    filled &= filled - 1;
    const std::int32_t next = filled == 0 ? count : std::countr_zero(filled);
    sorted[i] = sorted[place];
    times_[static_cast<std::size_t>(i)] = next - place;
    most_ = std::max(most_, next - place);
  }
}

void DistinctIndices::find_by_sort(const std::int32_t* index, std::int32_t count) {
  std::int32_t* const sorted = sorted_.data();
  std::copy_n(index, count, sorted);
  std::sort(sorted, sorted + count);
  count_ = 0;
  most_ = 0;
  for (std::int32_t begin = 0; begin < count; ++count_) {
    std::int32_t end = begin + 1;
    while (end < count && sorted[end] == sorted[begin]) ++end;
    sorted[count_] = sorted[begin];
    times_[static_cast<std::size_t>(count_)] = end - begin;
    most_ = std::max(most_, end - begin);
    begin = end;
  }
}

}  // namespace agpusim
