#pragma once

#include <cstdint>
#include <utility>

#include "agpusim/algorithms/common/network/key_range.hpp"
#include "agpusim/model/registers.hpp"
#include "agpusim/model/scalar.hpp"

namespace agpusim::multiway_merge_sort {

/// Reads sorted pieces of runs, B = rows·V keys at a time, in whole blocks of global memory. What
/// lies before a piece's first key in its block reads as the smallest key and what lies behind its
/// end as the largest.
template <class Key, std::int32_t rows, class Mp>
class PieceReader {
  using Words = decltype(std::declval<Mp&>().template shared<std::int32_t>(0, ""));
  using Index = typename Mp::template Lane<std::int32_t>;

 public:
  /// Row j, V neighbouring keys, is register j.
  using Rows = Registers<typename Mp::template Lane<Key>, rows>;

  AGPUSIM_FN PieceReader(Mp& mp, std::int32_t pieces)
      : mp_(mp),
        lane_(mp.lane()),
        pieces_(pieces),
        next_(mp.template shared<std::int32_t>(pieces, "next")),
        end_(mp.template shared<std::int32_t>(pieces, "ends")) {}

  /// Piece `piece` is keys begin..end-1 of its run; lane by lane.
  AGPUSIM_FN void set(const Index& piece, const Index& begin, const Index& end) const {
    next_.write(piece, begin);
    end_.write(piece, end);
  }

  /// Keys of the pieces' first blocks that lie before the pieces.
  [[nodiscard]] AGPUSIM_FN std::int32_t keys_in_front() const {
    const std::int32_t block = mp_.template lanes_per_pass<Key>();
    std::int32_t sum = 0;
    for (std::int32_t piece = 0; piece < pieces_; ++piece) {
      const auto at = mp_.varying(piece);
      const std::int32_t begin = mp_.uniform(next_.read(at));
      if (begin < mp_.uniform(end_.read(at))) sum += begin % block;
    }
    return sum;
  }

  /// The next B keys of a piece, whose run begins at key `run` of `in`, a block's first.
  template <class In>
  [[nodiscard]] AGPUSIM_FN Rows take(std::int32_t piece, const In& in, std::int64_t run) const {
    const std::int32_t width = mp_.width();
    const std::int32_t block = mp_.template lanes_per_pass<Key>();
    const auto at = mp_.varying(piece);
    const std::int32_t begin = mp_.uniform(next_.read(at));
    const std::int32_t end = mp_.uniform(end_.read(at));
    mp_.sync();
    if (begin >= end) {
      return make_registers<rows>([&](std::int32_t) { return mp_.varying(largest_key<Key>); });
    }
    const std::int32_t first = begin - begin % block;
    mp_.when(lane_ == 0, [&] { next_.write(at, mp_.varying(first + rows * width)); });
    const In keys = in.from(run + first);
    return make_registers<rows>([&](std::int32_t j) {
      const std::int32_t from = begin - first - j * width;
      const std::int32_t to = end - first - j * width;
      if (from <= 0 && to >= width) return keys.read(lane_ + j * width);
      if (to <= 0) return mp_.varying(largest_key<Key>);
      auto key =
          select(lane_ < from, mp_.varying(smallest_key<Key>), mp_.varying(largest_key<Key>));
      mp_.when(lane_ >= from && lane_ < to, [&] { key = keys.read(lane_ + j * width); });
      return key;
    });
  }

 private:
  Mp& mp_;
  Index lane_;
  std::int32_t pieces_;
  Words next_;  // by piece: its next key
  Words end_;
};

}  // namespace agpusim::multiway_merge_sort
