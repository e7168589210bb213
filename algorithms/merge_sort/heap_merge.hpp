#pragma once

#include <cstdint>
#include <utility>

#include "agpusim/algorithms/common/network/bitonic_registers.hpp"
#include "agpusim/algorithms/common/shared_bytes.hpp"
#include "agpusim/algorithms/merge_sort/block_writer.hpp"
#include "agpusim/algorithms/merge_sort/piece_reader.hpp"
#include "agpusim/model/loop.hpp"

namespace agpusim::multiway_merge_sort {

/// Bytes of shared memory of a heap over 2^levels pieces on a task of `width` lanes.
template <class Key, std::int32_t rows>
[[nodiscard]] std::int64_t heap_bytes(std::int32_t levels, std::int32_t width) {
  const std::int64_t leaves = std::int64_t{1} << levels;
  return shared_array_bytes<Key>((leaves + 1) * rows * width) +
         shared_array_bytes<Key>(2 * leaves) + shared_array_bytes<Key>(width) +
         2 * shared_array_bytes<std::int32_t>(leaves);
}

/// The heap of Koike and Sadakane (seed 001, section 5) over 2^levels sorted pieces, with buffers
/// of B = rows·V keys (a paper's b-word buffers: rows = 1, V = b). Nodes 1..2^levels-1 have
/// buffers, the leaves 2^levels.. are the pieces. A node takes B keys from the child whose last key
/// handed up is the smaller, merges them with its buffer, hands up the smaller half and keeps the
/// other. What lies before a piece's first key in its block reads as the smallest key and what lies
/// behind its end as the largest: the first come out first and are left out, the others come last.
template <class Key, std::int32_t rows, class Mp>
class HeapMerge {
  using Tile = decltype(std::declval<Mp&>().template shared<Key>(0, ""));
  using Network = BitonicRegisters<log2_of(rows) + 1, Mp, Tile>;
  using Reader = PieceReader<Key, rows, Mp>;
  using Rows = typename Reader::Rows;
  using Index = typename Mp::template Lane<std::int32_t>;

 public:
  AGPUSIM_FN HeapMerge(Mp& mp, std::int32_t levels)
      : mp_(mp),
        leaves_(std::int32_t{1} << levels),
        buffer_(rows * mp.width()),
        tile_(mp.template shared<Key>((leaves_ + 1) * buffer_, "buffers")),
        last_(mp.template shared<Key>(2 * leaves_, "last_keys")),
        tail_(mp.template shared<Key>(mp.width(), "tail")),
        reader_(mp, leaves_),
        network_(mp, tile_),
        lane_(mp.lane()),
        merging_(network_.merge_places()),
        reversed_(network_.template reversed<rows>()),
        node_offset_(select(lane_ >= mp.width() / 2, mp.varying(buffer_), mp.varying(0))) {}

  [[nodiscard]] AGPUSIM_FN std::int32_t leaves() const { return leaves_; }

  /// Piece `leaf` is keys begin..end-1 of its run; lane by lane.
  AGPUSIM_FN void set_piece(const Index& leaf, const Index& begin, const Index& end) const {
    reader_.set(leaf, begin, end);
  }

  /// Merges the pieces, piece j of the run that begins at key run_of(j) of `in`, a block's first.
  template <class In, class Out, class RunOf>
  AGPUSIM_FN void operator()(const In& in, const Out& out, const MergeOutput& output,
                             RunOf run_of) const {
    const auto none = mp_.varying(smallest_key<Key>);
    for_lanes(mp_, 2 * leaves_, [&](const auto& node) { last_.write(node, none); });
    mp_.sync();
    const std::int32_t in_front = reader_.keys_in_front();
    for (std::int32_t node = leaves_ - 1; node > 0; --node) {
      const Rows taken = take(2 * node, in, run_of);
      keep(node, taken);
      set_last(2 * node, taken);
      mp_.sync();
    }
    BlockWriter<Key, rows, Mp, Tile, Out> write(mp_, tile_, tail_, out, output, in_front);
    for (std::int32_t done = 0; done < in_front + output.total; done += buffer_) {
      mp_.sync();
      write(take(1, in, run_of));
    }
    write.finish();
  }

 private:
  /// The next B keys of a leaf, a node's child or the root.
  template <class In, class RunOf>
  AGPUSIM_FN Rows take(std::int32_t top, const In& in, RunOf run_of) const {
    std::int32_t node = top;
    while (node < leaves_) {
      const auto left = last_.read(mp_.varying(2 * node));
      const auto right = last_.read(mp_.varying(2 * node + 1));
      node = 2 * node + (mp_.uniform(right < left) ? 1 : 0);
    }
    Rows keys = reader_.take(node - leaves_, in, run_of(node - leaves_));
    for (; node > top; node /= 2) {
      set_last(node, keys);
      merge_into(node / 2, keys);
    }
    return keys;
  }

  AGPUSIM_FN void set_last(std::int32_t node, const Rows& keys) const {
    mp_.when(lane_ == mp_.width() - 1, [&] { last_.write(mp_.varying(node), keys[rows - 1]); });
  }

  /// The buffer of an empty node.
  AGPUSIM_FN void keep(std::int32_t node, const Rows& keys) const {
    AGPUSIM_UNROLL
    for (std::int32_t j = 0; j < rows; ++j) {
      tile_.write(merging_[0][j + rows] + node * buffer_, keys[j]);
    }
  }

  /// Merges `keys` with the buffer of `node`, which keeps the larger half.
  AGPUSIM_FN void merge_into(std::int32_t node, Rows& keys) const {
    auto all = make_registers<2 * rows>([&](std::int32_t j) {
      return j < rows ? keys[j % rows] : tile_.read(reversed_[j % rows] + node * buffer_);
    });
    const auto& home = network_.merge(all, merging_);
    network_.write(all, network_.moved(home, node_offset_ * node));
    mp_.sync();
    AGPUSIM_UNROLL
    for (std::int32_t j = 0; j < rows; ++j) keys[j] = tile_.read(merging_[0][j]);
  }

  Mp& mp_;
  std::int32_t leaves_;
  std::int32_t buffer_;  // B, keys
  Tile tile_;            // two buffers of the network, then those of nodes 1, 2, ...
  Tile last_;            // by node: the last key it handed up
  Tile tail_;
  Reader reader_;
  Network network_;
  Index lane_;
  decltype(std::declval<Network&>().merge_places()) merging_;
  Registers<Index, rows> reversed_;  // places of node 0's buffer, if it had one, from the last key
  Index node_offset_;                // B for the lanes that end a merge with the larger half
};

}  // namespace agpusim::multiway_merge_sort
