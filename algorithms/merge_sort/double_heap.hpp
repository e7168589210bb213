#pragma once

#include <cstdint>
#include <utility>

#include "agpusim/algorithms/common/network/bitonic_registers.hpp"
#include "agpusim/algorithms/common/shared_bytes.hpp"
#include "agpusim/algorithms/merge_sort/block_writer.hpp"
#include "agpusim/algorithms/merge_sort/groups.hpp"
#include "agpusim/algorithms/merge_sort/piece_reader.hpp"
#include "agpusim/model/loop.hpp"

namespace agpusim::multiway_merge_sort {

/// Bytes of shared memory of a DoubleHeap over 2^levels runs on a task of `width` lanes.
template <class Key, std::int32_t rows>
[[nodiscard]] std::int64_t double_heap_bytes(std::int32_t levels, std::int32_t width) {
  const std::int64_t leaves = std::int64_t{1} << levels;
  return shared_array_bytes<Key>(2 * (leaves - 1) * rows * width) +
         shared_array_bytes<Key>(2 * leaves) + 2 * shared_array_bytes<std::int32_t>(leaves);
}

/// The heap of Koike and Sadakane as they describe it first (seed 001, 5.2): nodes with buffers of
/// 2B keys, B = rows·V, filled from the top down. Heapify(node) brings B keys from the child whose
/// last key handed up is the smaller to a node that has B or fewer, and goes on with that child.
/// Two calls per node fill the heap; the paper's single one leaves nodes with the keys of one child
/// only, and its output unsorted (theory 3.12).
template <class Key, std::int32_t rows, class Mp>
class DoubleHeap {
  using Tile = decltype(std::declval<Mp&>().template shared<Key>(0, ""));
  using Network = BitonicRegisters<log2_of(rows) + 1, Mp, Tile>;
  using Reader = PieceReader<Key, rows, Mp>;
  using Rows = typename Reader::Rows;
  using Index = typename Mp::template Lane<std::int32_t>;

 public:
  /// `fills` calls of Heapify per node.
  AGPUSIM_FN DoubleHeap(Mp& mp, std::int32_t levels, std::int32_t fills)
      : mp_(mp),
        leaves_(std::int32_t{1} << levels),
        fills_(fills),
        buffer_(rows * mp.width()),
        tile_(mp.template shared<Key>(2 * (leaves_ - 1) * buffer_, "buffers")),
        last_(mp.template shared<Key>(2 * leaves_, "last_keys")),
        reader_(mp, leaves_),
        network_(mp, tile_),
        lane_(mp.lane()),
        merging_(network_.merge_places()),
        reversed_(network_.template reversed<rows>()) {}

  [[nodiscard]] AGPUSIM_FN std::int32_t leaves() const { return leaves_; }

  /// Run `leaf` has `length` keys; lane by lane.
  AGPUSIM_FN void set_run(const Index& leaf, const Index& length) const {
    reader_.set(leaf, mp_.varying(0), length);
  }

  /// Merges the runs, run j from key run_of(j) of `in` on; output.first begins a block.
  template <class In, class Out, class RunOf>
  AGPUSIM_FN void operator()(const In& in, const Out& out, const MergeOutput& output,
                             RunOf run_of) const {
    const auto none = mp_.varying(smallest_key<Key>);
    for_lanes(mp_, 2 * leaves_, [&](const auto& node) { last_.write(node, none); });
    for_lanes(mp_, 2 * (leaves_ - 1) * buffer_, [&](const auto& i) { tile_.write(i, none); });
    mp_.sync();
    for (std::int32_t node = leaves_ - 1; node > 0; --node) {
      for (std::int32_t i = 0; i < fills_; ++i) heapify(node, in, run_of);
    }
    // Whole blocks follow each other: the writer needs no memory.
    BlockWriter<Key, rows, Mp, Tile, Out> write(mp_, tile_, tile_, out, output, 0);
    for (std::int32_t done = 0; done < output.total; done += buffer_) {
      mp_.sync();
      write(take(1, in, run_of));
      heapify(1, in, run_of);
    }
    write.finish();
  }

 private:
  template <class In, class RunOf>
  AGPUSIM_FN void heapify(std::int32_t node, const In& in, RunOf run_of) const {
    while (node < leaves_) {
      const auto left = last_.read(mp_.varying(2 * node));
      const auto right = last_.read(mp_.varying(2 * node + 1));
      const std::int32_t child = 2 * node + (mp_.uniform(right < left) ? 1 : 0);
      const Rows keys = take(child, in, run_of);
      mp_.sync();
      mp_.when(lane_ == mp_.width() - 1, [&] { last_.write(mp_.varying(child), keys[rows - 1]); });
      merge_into(node, keys);
      node = child;
    }
  }

  /// The smaller half of a node's buffer, or the next B keys of a run.
  template <class In, class RunOf>
  AGPUSIM_FN Rows take(std::int32_t node, const In& in, RunOf run_of) const {
    if (node >= leaves_) return reader_.take(node - leaves_, in, run_of(node - leaves_));
    return make_registers<rows>(
        [&](std::int32_t j) { return tile_.read(merging_[0][j] + offset(node)); });
  }

  /// Merges `keys` with the larger half of the buffer of `node`.
  AGPUSIM_FN void merge_into(std::int32_t node, const Rows& keys) const {
    auto all = make_registers<2 * rows>([&](std::int32_t j) {
      return j < rows ? keys[j % rows] : tile_.read(reversed_[j % rows] + offset(node));
    });
    mp_.sync();
    const auto places = network_.merge_places(merging_, mp_.varying(offset(node)));
    network_.write(all, network_.merge(all, places));
    mp_.sync();
  }

  /// The first key of the buffer of a node.
  [[nodiscard]] AGPUSIM_FN std::int32_t offset(std::int32_t node) const {
    return 2 * (node - 1) * buffer_;
  }

  Mp& mp_;
  std::int32_t leaves_;
  std::int32_t fills_;
  std::int32_t buffer_;  // B, keys: half a node's buffer
  Tile tile_;            // the buffers of nodes 1, 2, ..., in which the network works
  Tile last_;            // by node: the last key it handed up
  Reader reader_;
  Network network_;
  Index lane_;
  decltype(std::declval<Network&>().merge_places()) merging_;
  Registers<Index, rows> reversed_;  // places of node 1's larger half, from the last key
};

/// Merges each group by one task, with buffers of 2B keys.
template <class Key, std::int32_t rows>
struct MergeGroupsDouble {
  static constexpr const char* name = "merge_groups_double";
  static constexpr bool oblivious = true;

  Groups groups;
  std::int32_t width;      ///< V
  std::int32_t fills = 2;  ///< calls of Heapify per node that fill the heap

  [[nodiscard]] std::int64_t shared_bytes() const {
    return double_heap_bytes<Key, rows>(groups.levels, width);
  }

  template <class Mp, class In, class Out>
  AGPUSIM_FN void operator()(Mp& mp, In in, Out out) const {
    const DoubleHeap<Key, rows, Mp> heap(mp, groups.levels, fills);
    const std::int64_t first = mp.task() * groups.size();
    const std::int64_t length = groups.length(mp.task());
    for_lanes(mp, heap.leaves(),
              [&](const auto& leaf) { heap.set_run(leaf, groups.run_length(mp, leaf, length)); });
    heap(in, out, MergeOutput{first, static_cast<std::int32_t>(length)},
         [&](std::int32_t leaf) { return first + std::int64_t{leaf} * groups.run; });
  }
};

}  // namespace agpusim::multiway_merge_sort
