#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/network/key_range.hpp"
#include "agpusim/model/registers.hpp"
#include "agpusim/model/scalar.hpp"

namespace agpusim::multiway_merge_sort {

/// What one merge of a task produces: keys out[first..first+total).
struct MergeOutput {
  std::int64_t first;
  std::int32_t total;
};

/// Writes the sorted keys that a heap puts out, B = rows·V at a time, in whole blocks of global
/// memory: rows of V keys that begin at a block. The first `in_front` keys are left out.
template <class Key, std::int32_t rows, class Mp, class Tile, class Out>
class BlockWriter {
 public:
  using Rows = Registers<typename Mp::template Lane<Key>, rows>;

  /// `tile` (2B keys) is free while a call works; `tail` (V keys) belongs to the writer.
  AGPUSIM_FN BlockWriter(Mp& mp, const Tile& tile, const Tile& tail, const Out& out,
                         const MergeOutput& output, std::int32_t in_front)
      : mp_(mp),
        tile_(tile),
        tail_(tail),
        lane_(mp.lane()),
        shift_(static_cast<std::int32_t>((output.first - in_front) &
                                         (mp.template lanes_per_pass<Key>() - 1))),
        begin_(in_front + shift_),
        end_(begin_ + output.total),
        out_(out.from(output.first - begin_)) {
    if (shift_ != 0) tail_.write(lane_, mp_.varying(smallest_key<Key>));
  }

  /// The next B keys.
  AGPUSIM_FN void operator()(Rows keys) {
    if (shift_ != 0) shift(keys);
    AGPUSIM_UNROLL
    for (std::int32_t j = 0; j < rows; ++j) {
      write_row(written_ + j * mp_.width(), [&] { return keys[j]; });
    }
    written_ += rows * mp_.width();
  }
  /// The keys that the shift has held back.
  AGPUSIM_FN void finish() {
    if (written_ >= end_) return;
    mp_.sync();
    write_row(written_, [&] { return tail_.read(lane_); });
  }

 private:
  /// Moves the keys `shift` lanes up, the last ones of the time before in front of them.
  AGPUSIM_FN void shift(Rows& keys) const {
    const std::int32_t width = mp_.width();
    mp_.sync();
    mp_.when(lane_ < shift_, [&] { tile_.write(lane_, tail_.read(lane_)); });
    AGPUSIM_UNROLL
    for (std::int32_t j = 0; j < rows; ++j) tile_.write(lane_ + (shift_ + j * width), keys[j]);
    mp_.sync();
    AGPUSIM_UNROLL
    for (std::int32_t j = 0; j < rows; ++j) keys[j] = tile_.read(lane_ + j * width);
    mp_.when(lane_ < shift_, [&] { tail_.write(lane_, tile_.read(lane_ + rows * width)); });
  }

  /// Writes keys(), V keys from place `from` on, as far as they are of the output.
  template <class Keys>
  AGPUSIM_FN void write_row(std::int32_t from, Keys keys) const {
    const Out row = out_.from(from);
    if (begin_ <= from && from + mp_.width() <= end_) {
      row.write(lane_, keys());
    } else if (begin_ < from + mp_.width() && from < end_) {
      mp_.when(lane_ >= begin_ - from && lane_ < end_ - from, [&] { row.write(lane_, keys()); });
    }
  }

  Mp& mp_;
  Tile tile_;
  Tile tail_;  // the last keys of a call, which wait for a whole row
  typename Mp::template Lane<std::int32_t> lane_;
  std::int32_t shift_;  // keys between a block's begin and the first key
  std::int32_t begin_;  // where the output begins among the keys that are written
  std::int32_t end_;
  Out out_;
  std::int32_t written_ = 0;
};

}  // namespace agpusim::multiway_merge_sort
