#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace agpusim {

/// The different indices of one request, ascending, and how many lanes use each.
class DistinctIndices {
 public:
  /// For requests of at most max_width lanes.
  DistinctIndices();

  /// Finds them among `count` >= 1 indices, which must outlive the result.
  void find(const std::int32_t* index, std::int32_t count);
  /// Sets a single index that `times` lanes use.
  void set_equal(std::int32_t index, std::int32_t times);

  [[nodiscard]] std::int32_t count() const { return count_; }
  [[nodiscard]] const std::int32_t* index() const { return index_; }
  [[nodiscard]] const std::int32_t* times() const { return times_.data(); }
  /// The largest of `times`: κ of the request.
  [[nodiscard]] std::int32_t most() const { return most_; }

 private:
  void set_distinct(std::int32_t count);
  template <std::size_t vectors>
  void find_by_rank(const std::int32_t* index, std::int32_t count);
  void find_by_sort(const std::int32_t* index, std::int32_t count);

  std::int32_t count_ = 0;
  std::int32_t most_ = 0;
  const std::int32_t* index_ = nullptr;
  std::vector<std::int32_t> sorted_;
  std::vector<std::int32_t> times_;
};

}  // namespace agpusim
