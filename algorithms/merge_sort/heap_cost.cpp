#include "agpusim/algorithms/merge_sort/heap_cost.hpp"

#include <algorithm>
#include <bit>

#include "agpusim/model/cost/units.hpp"

namespace agpusim::multiway_merge_sort {
namespace {

std::int64_t keys_of(std::span<const Piece> pieces) {
  std::int64_t keys = 0;
  for (const Piece& piece : pieces) keys += std::max<std::int64_t>(0, piece.end - piece.begin);
  return keys;
}

}  // namespace

HeapCost::HeapCost(const AgpuSpec& spec, std::int32_t rows, std::int64_t words, std::int32_t levels)
    : spec_(spec),
      words_(words),
      levels_(levels),
      buffer_(rows * std::int64_t{spec.width}),
      network_(spec, std::countr_zero(static_cast<std::uint32_t>(rows)) + 1, words),
      stream_(spec, rows, words) {
  const std::int32_t in_rows = network_.lane_bits();
  const auto set_last = [&](Bill& bill) {
    bill.alu(1);  // lane == V-1
    bill.shared_run(&Counts::shared_write, spec_.width - 1, 1, words_);
  };
  Bill merge(spec_);
  set_last(merge);
  merge.alu(1);  // the buffer's offset
  network_.access(merge, &Counts::shared_read, in_rows, rows,
                  [&](std::int64_t i) { return network_.place(2 * buffer_ - 1 - i); });
  network_.merge(merge);
  merge.alu(2);  // the offset of the lanes with the larger half
  network_.access(merge, &Counts::shared_write, 0);
  network_.access(merge, &Counts::shared_read, in_rows, rows,
                  [&](std::int64_t i) { return network_.place(i); });
  merge_ = merge.counts();

  Bill keep(spec_);
  keep.alu(2);  // the index of a buffer's first row; the buffer's offset
  network_.place(keep);
  network_.access(keep, &Counts::shared_write, in_rows, rows,
                  [&](std::int64_t i) { return network_.place(i + buffer_); });
  set_last(keep);
  keep_ = keep.counts();
}

std::int64_t HeapCost::shared_words() const {
  const std::int64_t leaves = std::int64_t{1} << levels_;
  return ((leaves + 1) * buffer_ + 2 * leaves + spec_.width) * words_ +
         2 * leaves * spec_.words_per_element(4);
}

void HeapCost::construct(Bill& bill) const {
  network_.merge_bases(bill);
  bill.alu(1 + 2);  // the index of a buffer's last keys; lane >= V/2, select
  network_.place(bill);
}

void HeapCost::take(Bill& bill, std::int64_t times, std::int64_t levels) const {
  Bill path(spec_);
  for (std::int64_t level = 0; level < levels; ++level) {
    path.shared_broadcast(&Counts::shared_read, words_);
    path.shared_broadcast(&Counts::shared_read, words_);
    path.alu(1);  // right < left
    path.add(merge_);
  }
  stream_.take(path, 1);
  bill.add(path.counts(), times);
}

void HeapCost::merge(Bill& bill, std::span<const Piece> pieces, std::int64_t first) const {
  const auto leaves = static_cast<std::int64_t>(pieces.size());
  bill.loop_rows(2 * leaves);
  bill.shared_rows(&Counts::shared_write, 2 * leaves, words_);
  const std::int64_t in_front = stream_.keys_in_front(bill, pieces);
  const std::int64_t total = keys_of(pieces);
  // Nodes of depth k take from their left child, L-1-k levels above the leaves.
  for (std::int64_t depth = 0; depth < levels_; ++depth) {
    take(bill, std::int64_t{1} << depth, levels_ - 1 - depth);
  }
  bill.add(keep_, leaves - 1);
  take(bill, ceil_div(in_front + total, buffer_), levels_);
  for (const Piece& piece : pieces) stream_.read(bill, piece);
  stream_.write(bill, first, in_front, in_front + total);
}

DoubleHeapCost::DoubleHeapCost(const AgpuSpec& spec, std::int32_t rows, std::int64_t words,
                               std::int32_t levels)
    : spec_(spec),
      words_(words),
      levels_(levels),
      buffer_(rows * std::int64_t{spec.width}),
      network_(spec, std::countr_zero(static_cast<std::uint32_t>(rows)) + 1, words),
      stream_(spec, rows, words) {
  const std::int32_t in_rows = network_.lane_bits();
  Bill heapify(spec_);
  heapify.shared_broadcast(&Counts::shared_read, words_);
  heapify.shared_broadcast(&Counts::shared_read, words_);
  heapify.alu(1 + 1);  // right < left; lane == V-1
  heapify.shared_run(&Counts::shared_write, spec_.width - 1, 1, words_);
  heapify.alu(1);  // the buffer's offset
  network_.access(heapify, &Counts::shared_read, in_rows, rows,
                  [&](std::int64_t i) { return network_.place(2 * buffer_ - 1 - i); });
  heapify.alu(network_.merge_layouts());  // the buffer's offset
  network_.merge(heapify);
  network_.access(heapify, &Counts::shared_write, 0);
  heapify_ = heapify.counts();

  Bill half(spec_);
  half.alu(1);  // the buffer's offset
  network_.access(half, &Counts::shared_read, in_rows, rows,
                  [&](std::int64_t i) { return network_.place(i); });
  half_ = half.counts();
}

std::int64_t DoubleHeapCost::shared_words() const {
  const std::int64_t leaves = std::int64_t{1} << levels_;
  return (2 * (leaves - 1) * buffer_ + 2 * leaves) * words_ +
         2 * leaves * spec_.words_per_element(4);
}

void DoubleHeapCost::construct(Bill& bill) const {
  network_.merge_bases(bill);
  bill.alu(1);  // the index of a buffer's last keys
  network_.place(bill);
}

void DoubleHeapCost::merge(Bill& bill, std::span<const Piece> runs, std::int64_t first) const {
  const auto leaves = static_cast<std::int64_t>(runs.size());
  for (const std::int64_t cells : {2 * leaves, 2 * (leaves - 1) * buffer_}) {
    bill.loop_rows(cells);
    bill.shared_rows(&Counts::shared_write, cells, words_);
  }
  const std::int64_t total = keys_of(runs);
  const std::int64_t outputs = ceil_div(total, buffer_);
  // Two calls of Heapify for each node, then one at the root for each output. A call at depth k
  // passes L-k nodes and ends at a run.
  std::int64_t calls = outputs;
  std::int64_t nodes = outputs * levels_;
  for (std::int64_t depth = 0; depth < levels_; ++depth) {
    const std::int64_t at_depth = std::int64_t{2} << depth;
    calls += at_depth;
    nodes += at_depth * (levels_ - depth);
  }
  bill.add(heapify_, nodes);
  bill.add(half_, nodes - calls + outputs);
  stream_.take(bill, calls);
  for (const Piece& run : runs) stream_.read(bill, run);
  stream_.write(bill, first, 0, total);
}

}  // namespace agpusim::multiway_merge_sort
