#pragma once

#include <cstdint>
#include <limits>

#include "agpusim/algorithms/network/bitonic_registers.hpp"
#include "agpusim/model/loop.hpp"

namespace agpusim::multiway_merge_sort {

/// What one merge of a task produces: keys out[0..total) from the pieces that the heap was given.
struct MergeOutput {
  std::int64_t first;  ///< place of the first key in the output array
  std::int32_t total;  ///< keys
};

/// Bytes of shared memory of a heap over 2^levels pieces on a task of `width` lanes, each array
/// rounded up to 8 bytes.
template <class Key, std::int32_t rows>
[[nodiscard]] std::int64_t heap_bytes(std::int32_t levels, std::int32_t width) {
  const std::int64_t leaves = std::int64_t{1} << levels;
  const auto rounded = [](std::int64_t bytes) { return (bytes + 7) / 8 * 8; };
  constexpr std::int64_t key = sizeof(Key);
  constexpr std::int64_t word = sizeof(std::int32_t);
  return rounded((leaves + 1) * rows * width * key) + rounded(2 * leaves * key) +
         2 * rounded(leaves * word) + rounded(width * key);
}

/// The heap of Koike and Sadakane (seed 001, section 5) over 2^levels sorted pieces, with buffers
/// of B = rows·V keys (a paper's b-word buffers: rows = 1, V = b). Nodes 1..2^levels-1 have
/// buffers, the leaves 2^levels.. are the pieces. A node takes B keys from the child whose last key
/// handed up is the smaller, merges them with its buffer, hands up the smaller half and keeps the
/// other. What lies before a piece's first key in its block reads as the smallest key and what lies
/// behind its end as the largest: the first come out first and are left out, the others come last.
template <class Key, std::int32_t rows, class Mp>
class HeapMerge {
  static constexpr std::int32_t q = log2_of(rows) + 1;
  using Tile = decltype(std::declval<Mp&>().template shared<Key>(0, ""));
  using Words = decltype(std::declval<Mp&>().template shared<std::int32_t>(0, ""));
  using Network = BitonicRegisters<q, Mp, Tile>;
  using Lane = typename Mp::template Lane<Key>;
  using Index = typename Mp::template Lane<std::int32_t>;
  /// Row j of a buffer's keys, V neighbouring keys, is register j.
  using Rows = Registers<Lane, rows>;
  using Keys = typename Network::Keys;

 public:
  static constexpr Key smallest = std::numeric_limits<Key>::min();
  static constexpr Key largest = std::numeric_limits<Key>::max();

  AGPUSIM_FN HeapMerge(Mp& mp, std::int32_t levels)
      : mp_(mp),
        leaves_(std::int32_t{1} << levels),
        buffer_(rows * mp.width()),
        tile_(mp.template shared<Key>((leaves_ + 1) * buffer_, "buffers")),
        last_(mp.template shared<Key>(2 * leaves_, "last_keys")),
        next_(mp.template shared<std::int32_t>(leaves_, "next")),
        end_(mp.template shared<std::int32_t>(leaves_, "ends")),
        tail_(mp.template shared<Key>(mp.width(), "tail")),
        network_(mp, tile_),
        lane_(mp.lane()),
        bases_(network_.merge_bases()),
        reversed_(network_.places().place(2 * buffer_ - 1 - lane_)),
        node_offset_(select(lane_ >= mp.width() / 2, mp.varying(buffer_), mp.varying(0))) {}

  [[nodiscard]] AGPUSIM_FN std::int32_t leaves() const { return leaves_; }

  /// Piece `leaf` is keys begin..end-1 of its run; lane by lane.
  AGPUSIM_FN void set_piece(const Index& leaf, const Index& begin, const Index& end) const {
    next_.write(leaf, begin);
    end_.write(leaf, end);
  }

  /// Merges the pieces, piece j of the run that begins at key run_of(j) of `in`, a block's first.
  template <class In, class Out, class RunOf>
  AGPUSIM_FN void operator()(const In& in, const Out& out, const MergeOutput& output,
                             RunOf run_of) const {
    const auto zero = mp_.varying(smallest);
    for_lanes(mp_, 2 * leaves_, [&](const auto& node) { last_.write(node, zero); });
    mp_.sync();
    const std::int32_t in_front = keys_in_front();
    for (std::int32_t node = leaves_ - 1; node > 0; --node) {
      const Rows taken = take(2 * node, in, run_of);
      keep(node, taken);
      set_last(2 * node, taken);
      mp_.sync();
    }
    Emitter<Out> emitter{*this, out, output, in_front};
    for (std::int32_t done = 0; done < in_front + output.total; done += buffer_) {
      mp_.sync();
      emitter(take(1, in, run_of));
    }
    emitter.finish();
  }

 private:
  /// Keys of the pieces' first blocks that lie before the pieces.
  [[nodiscard]] AGPUSIM_FN std::int32_t keys_in_front() const {
    const std::int32_t block = mp_.template lanes_per_pass<Key>();
    std::int32_t sum = 0;
    for (std::int32_t leaf = 0; leaf < leaves_; ++leaf) {
      const auto at = mp_.varying(leaf);
      const std::int32_t begin = mp_.uniform(next_.read(at));
      if (begin < mp_.uniform(end_.read(at))) sum += begin % block;
    }
    return sum;
  }

  /// The next B keys of a leaf, a node's child or the root.
  template <class In, class RunOf>
  AGPUSIM_FN Rows take(std::int32_t top, const In& in, RunOf run_of) const {
    std::int32_t node = top;
    while (node < leaves_) {
      const auto left = last_.read(mp_.varying(2 * node));
      const auto right = last_.read(mp_.varying(2 * node + 1));
      node = 2 * node + (mp_.uniform(right < left) ? 1 : 0);
    }
    Rows keys = fetch(node - leaves_, in, run_of);
    for (; node > top; node /= 2) {
      set_last(node, keys);
      merge_into(node / 2, keys);
    }
    return keys;
  }

  /// The next B keys of a piece.
  template <class In, class RunOf>
  AGPUSIM_FN Rows fetch(std::int32_t leaf, const In& in, RunOf run_of) const {
    const std::int32_t width = mp_.width();
    const std::int32_t block = mp_.template lanes_per_pass<Key>();
    const auto at = mp_.varying(leaf);
    const std::int32_t begin = mp_.uniform(next_.read(at));
    const std::int32_t end = mp_.uniform(end_.read(at));
    mp_.sync();
    if (begin >= end) return all_largest();
    const std::int32_t first = begin - begin % block;
    mp_.when(lane_ == 0, [&] { next_.write(at, mp_.varying(first + buffer_)); });
    const In piece = in.from(run_of(leaf) + first);
    return make_registers<rows>([&](std::int32_t j) {
      const std::int32_t from = begin - first - j * width;
      const std::int32_t to = end - first - j * width;
      if (from <= 0 && to >= width) return piece.read(lane_ + j * width);
      if (to <= 0) return mp_.varying(largest);
      auto key = select(lane_ < from, mp_.varying(smallest), mp_.varying(largest));
      mp_.when(lane_ >= from && lane_ < to, [&] { key = piece.read(lane_ + j * width); });
      return key;
    });
  }

  [[nodiscard]] AGPUSIM_FN Rows all_largest() const {
    return make_registers<rows>([&](std::int32_t) { return mp_.varying(largest); });
  }

  AGPUSIM_FN void set_last(std::int32_t node, const Rows& keys) const {
    mp_.when(lane_ == mp_.width() - 1, [&] { last_.write(mp_.varying(node), keys[rows - 1]); });
  }

  /// The buffer of an empty node.
  AGPUSIM_FN void keep(std::int32_t node, const Rows& keys) const {
    const auto base = network_.places().place(lane_ + buffer_) + node * buffer_;
    AGPUSIM_UNROLL
    for (std::int32_t j = 0; j < rows; ++j) tile_.write(row(base, j), keys[j]);
  }

  /// Merges `keys` with the buffer of `node`, which keeps the larger half.
  AGPUSIM_FN void merge_into(std::int32_t node, Rows& keys) const {
    const auto buffered = reversed_ + node * buffer_;
    Keys all = make_registers<2 * rows>([&](std::int32_t j) {
      return j < rows ? keys[j % rows] : tile_.read(row(buffered, j - rows));
    });
    const Index home = network_.merge(all, bases_);
    network_.write(all, home + node_offset_ * node, 0);
    mp_.sync();
    AGPUSIM_UNROLL
    for (std::int32_t j = 0; j < rows; ++j) keys[j] = tile_.read(row(bases_[0], j));
  }

  /// The place of row j from that of row 0.
  [[nodiscard]] AGPUSIM_FN Index row(const Index& base, std::int32_t j) const {
    return base ^ network_.places().of_register(j, network_.places().rows());
  }

  /// Writes the heap's output in whole blocks: rows of V keys that begin at a block.
  template <class Out>
  class Emitter {
   public:
    AGPUSIM_FN Emitter(const HeapMerge& heap, const Out& out, const MergeOutput& output,
                       std::int32_t in_front)
        : heap_(heap),
          shift_(static_cast<std::int32_t>((output.first - in_front) &
                                           (heap.mp_.template lanes_per_pass<Key>() - 1))),
          begin_(in_front + shift_),
          end_(begin_ + output.total),
          out_(out.from(output.first - begin_)) {
      if (shift_ != 0) heap_.tail_.write(heap_.lane_, heap_.mp_.varying(smallest));
    }

    /// The next B keys.
    AGPUSIM_FN void operator()(Rows keys) {
      const std::int32_t width = heap_.mp_.width();
      if (shift_ != 0) shift(keys);
      AGPUSIM_UNROLL
      for (std::int32_t j = 0; j < rows; ++j) {
        write_row(written_ + j * width, [&] { return keys[j]; });
      }
      written_ += rows * width;
    }
    /// The keys that the shift has held back.
    AGPUSIM_FN void finish() {
      if (written_ >= end_) return;
      heap_.mp_.sync();
      write_row(written_, [&] { return heap_.tail_.read(heap_.lane_); });
    }

   private:
    /// Moves the keys `shift` lanes up, the last ones of the time before in front of them.
    AGPUSIM_FN void shift(Rows& keys) const {
      const auto& tile = heap_.tile_;
      const auto& lane = heap_.lane_;
      auto& mp = heap_.mp_;
      const std::int32_t width = mp.width();
      mp.sync();
      mp.when(lane < shift_, [&] { tile.write(lane, heap_.tail_.read(lane)); });
      AGPUSIM_UNROLL
      for (std::int32_t j = 0; j < rows; ++j) tile.write(lane + (shift_ + j * width), keys[j]);
      mp.sync();
      AGPUSIM_UNROLL
      for (std::int32_t j = 0; j < rows; ++j) keys[j] = tile.read(lane + j * width);
      mp.when(lane < shift_, [&] { heap_.tail_.write(lane, tile.read(lane + rows * width)); });
    }

    /// Writes keys(), V keys from place `from` on, as far as they are of the pieces.
    template <class Keys>
    AGPUSIM_FN void write_row(std::int32_t from, Keys keys) const {
      const auto& lane = heap_.lane_;
      const Out row = out_.from(from);
      if (begin_ <= from && from + heap_.mp_.width() <= end_) {
        row.write(lane, keys());
      } else if (begin_ < from + heap_.mp_.width() && from < end_) {
        heap_.mp_.when(lane >= begin_ - from && lane < end_ - from,
                       [&] { row.write(lane, keys()); });
      }
    }

    const HeapMerge& heap_;
    std::int32_t shift_;  // keys between a block's begin and the first key
    std::int32_t begin_;  // of the pieces' keys among those that come out
    std::int32_t end_;
    Out out_;
    std::int32_t written_ = 0;
  };

  Mp& mp_;
  std::int32_t leaves_;
  std::int32_t buffer_;  // B, keys
  Tile tile_;            // two buffers of the network, then those of nodes 1, 2, ...
  Tile last_;            // by node: the last key it handed up
  Words next_;           // by leaf: the next key of the piece
  Words end_;
  Tile tail_;
  Network network_;
  Index lane_;
  decltype(std::declval<Network&>().merge_bases()) bases_;
  Index reversed_;     // place of the last keys of node 0's buffer, if it had one
  Index node_offset_;  // B for the lanes that end a merge with the larger half
};

}  // namespace agpusim::multiway_merge_sort
