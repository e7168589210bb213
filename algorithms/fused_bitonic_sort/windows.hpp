#pragma once

#include <cstdint>

#include "agpusim/algorithms/fused_bitonic_sort/task_keys.hpp"
#include "agpusim/algorithms/fused_bitonic_sort/tile_network.hpp"

namespace agpusim::fused_bitonic_sort {

/// Neighbouring strides of a merge, all of them between rows of neighbouring keys: those of a block
/// of 2^high keys at the distances 2^(high-1) ... 2^(high-strides). A task takes a window of each
/// of the 2^strides rows of a block; with a flip, mirrored windows of the upper half of the rows,
/// since the first stride compares the halves of a block in reverse.
struct GlobalStrides {
  std::int64_t n;          ///< keys, at most 2^30
  std::int32_t task_bits;  ///< lg of the keys of a task, at most `high`
  std::int32_t high;       ///< lg of the keys of a block
  std::int32_t strides;    ///< from 1 up to task_bits less lg of the keys of a block of memory
  bool flip;               ///< the first stride is the first of a merge

  /// lg of the keys of a window.
  [[nodiscard]] AGPUSIM_FN std::int32_t window_bits() const { return task_bits - strides; }
  /// lg of the keys of a row.
  [[nodiscard]] AGPUSIM_FN std::int32_t row_bits() const { return high - strides; }

  /// Bits that differ between a window and its mirror image, 0 without flip.
  [[nodiscard]] AGPUSIM_FN std::int32_t mirror() const {
    return flip ? (1 << row_bits()) - (1 << window_bits()) : 0;
  }

  /// Tasks of whole blocks cost the same; those of a last block that ends within one of its rows
  /// differ by how their window lies to that end: before it, beyond it, or across.
  [[nodiscard]] std::uint64_t task_class(std::int64_t task) const {
    const std::int64_t windows = std::int64_t{1} << (high - task_bits);
    const std::int64_t rest = n - (task / windows << high);
    if (rest >= std::int64_t{1} << high) return 0;
    const std::int64_t end_row = rest >> row_bits();
    const std::int64_t end = rest & ((std::int64_t{1} << row_bits()) - 1);
    const std::int64_t first = (task % windows) << window_bits();
    const std::int64_t begin = end_row >> (strides - 1) != 0 ? first ^ mirror() : first;
    if (begin >= end) return 1;
    return begin + (std::int64_t{1} << window_bits()) <= end ? 2 : 3;
  }

  /// Where key i of a task lies in its block, but for the begin of the window.
  template <class I>
  [[nodiscard]] AGPUSIM_FN I place(const I& i) const {
    return ((i >> window_bits()) << row_bits()) | (i & ((1 << window_bits()) - 1));
  }
};

/// The windows of a task, read into and written from the registers of groups of 2^q keys.
template <std::int32_t q, class Mp, class View>
class Windows {
 public:
  using Keys = TaskKeys<q, Mp, View>;
  using Index = typename Keys::Index;
  using Places = typename Keys::Places;

  AGPUSIM_FN Windows(Mp& mp, const View& view, const GlobalStrides& pass)
      : pass_(pass),
        top_(pass.task_bits - q),
        mirror_(pass.mirror()),
        first_(window(mp, pass) << pass.window_bits()),
        keys_(make_keys(mp, view)) {}

  [[nodiscard]] AGPUSIM_FN const Keys& keys() const { return keys_; }

  /// To the registers of the layout whose register bits are the highest of a key's number.
  [[nodiscard]] AGPUSIM_FN Steps<q> top_steps() const {
    auto steps = make_steps<q>([&](std::int32_t j) { return pass_.place(j << top_); });
    steps[q - 1] ^= mirror_;
    return steps;
  }
  /// Groups in that layout, with a flip in its mirrored form; `part` is the part of the group.
  [[nodiscard]] AGPUSIM_FN Places top_places(const Index& part, const Steps<q>& steps) const {
    if (!pass_.flip) return {part, part, first_, steps};
    return {part, part ^ pass_.place((1 << top_) - 1), first_, steps};
  }
  /// To the registers of the layout in which they are neighbouring rows.
  [[nodiscard]] AGPUSIM_FN Steps<q> row_steps() const {
    return make_steps<q>([&](std::int32_t j) { return j << pass_.row_bits(); });
  }
  [[nodiscard]] AGPUSIM_FN Places row_places(const Index& group, const Steps<q>& steps) const {
    const std::int32_t bits = pass_.window_bits();
    Index part = ((group >> bits) << (pass_.row_bits() + q)) | (group & ((1 << bits) - 1));
    if (pass_.flip) part = part + (group >> (top_ - 1)) * ((first_ ^ mirror_) - first_);
    return {part, part, first_, steps};
  }

 private:
  [[nodiscard]] AGPUSIM_FN static std::int32_t window(Mp& mp, const GlobalStrides& pass) {
    const std::int64_t windows = std::int64_t{1} << (pass.high - pass.task_bits);
    return static_cast<std::int32_t>(mp.task() & (windows - 1));
  }
  [[nodiscard]] AGPUSIM_FN Keys make_keys(Mp& mp, const View& view) const {
    const std::int64_t block = mp.task() >> (pass_.high - pass_.task_bits) << pass_.high;
    const std::int64_t size = std::int64_t{1} << pass_.high;
    const auto rest = static_cast<std::int32_t>(pass_.n - block < size ? pass_.n - block : size);
    const std::int32_t last = pass_.place((1 << pass_.task_bits) - 1) + (first_ ^ mirror_);
    return {mp, view.from(block), rest, last < rest};
  }

  const GlobalStrides& pass_;
  std::int32_t top_;     // lg of the groups
  std::int32_t mirror_;  // bits that differ between a window and its mirror image, 0 without flip
  std::int32_t first_;   // begin of the window in its row
  Keys keys_;
};

}  // namespace agpusim::fused_bitonic_sort
