#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace agpusim {

/// Elements 0..m-1 in nested blocks (theory 3.2, PS2). Level 0 is one block of s_0 = m elements;
/// a block of level i-1 is cut into blocks of s_i = ⌈lg s_(i-1)⌉ elements, the last of which may be
/// shorter; the last level has blocks of one element. A block is named by its first element. The
/// tables hold index arithmetic, which a PRAM does not charge.
class NestedBlocks {
 public:
  explicit NestedBlocks(std::int64_t m);

  [[nodiscard]] std::int64_t elements() const { return m_; }
  /// t, at most log* m + 1: levels 1..t have more than one block unless m = 1, where t = 0.
  [[nodiscard]] std::int64_t levels() const { return static_cast<std::int64_t>(sizes_.size()) - 1; }
  /// s_i.
  [[nodiscard]] std::int64_t size(std::int64_t level) const {
    return sizes_[static_cast<std::size_t>(level)];
  }
  /// The block of a level that holds element x.
  [[nodiscard]] std::int64_t block_of(std::int64_t level, std::int64_t x) const {
    return first_[static_cast<std::size_t>(level * m_ + x)];
  }

 private:
  std::int64_t m_;
  std::vector<std::int64_t> sizes_;
  std::vector<std::int64_t> first_;  // level i, element x at i·m + x
};

/// The sizes s_0 = m, s_1, ..., s_t = 1 of NestedBlocks, for m >= 1.
[[nodiscard]] std::vector<std::int64_t> nested_sizes(std::int64_t m);

}  // namespace agpusim
