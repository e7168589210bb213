#include "agpusim/algorithms/multiway_merge_sort/heap_cost.hpp"

#include <algorithm>
#include <bit>

#include "agpusim/model/cost/units.hpp"

namespace agpusim::multiway_merge_sort {

HeapCost::HeapCost(const AgpuSpec& spec, std::int32_t rows, std::int64_t words, std::int32_t levels)
    : spec_(spec),
      rows_(rows),
      words_(words),
      levels_(levels),
      buffer_(rows * std::int64_t{spec.width}),
      network_(spec, std::countr_zero(static_cast<std::uint32_t>(rows)) + 1, words) {
  const auto rows_in_place = static_cast<std::int32_t>(rows_);
  const std::int32_t in_rows = network_.lane_bits();
  const auto set_last = [&](Bill& bill) {
    bill.alu(1);  // lane == V-1
    bill.shared_run(&Counts::shared_write, spec_.width - 1, 1, words_);
  };
  Bill merge(spec_);
  set_last(merge);
  merge.alu(1);  // the buffer's offset
  network_.access(merge, &Counts::shared_read, in_rows, rows_in_place,
                  [&](std::int64_t i) { return network_.place(2 * buffer_ - 1 - i); });
  network_.merge(merge);
  merge.alu(2);  // the offset of the lanes with the larger half
  network_.access(merge, &Counts::shared_write, 0);
  network_.access(merge, &Counts::shared_read, in_rows, rows_in_place,
                  [&](std::int64_t i) { return network_.place(i); });
  merge_ = merge.counts();

  Bill keep(spec_);
  keep.alu(2);  // the index of a buffer's first row; the buffer's offset
  network_.place(keep);
  network_.access(keep, &Counts::shared_write, in_rows, rows_in_place,
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
  const std::int64_t word = spec_.words_per_element(4);
  Bill path(spec_);
  for (std::int64_t level = 0; level < levels; ++level) {
    path.shared_broadcast(&Counts::shared_read, words_);
    path.shared_broadcast(&Counts::shared_read, words_);
    path.alu(1);  // right < left
    path.add(merge_);
  }
  path.shared_broadcast(&Counts::shared_read, word);
  path.shared_broadcast(&Counts::shared_read, word);
  bill.add(path.counts(), times);
}

/// An access of each of `rows` rows of V keys, the first at key `first`.
void HeapCost::whole_rows(Bill& bill, GlobalCounts Counts::*kind, std::int64_t first,
                          std::int64_t rows) const {
  if (rows > 0) bill.global_rows(kind, rows * spec_.width, first * words_, words_);
}

/// An access of keys from..to-1 of the row of V keys at key `first`.
void HeapCost::part_of_row(Bill& bill, GlobalCounts Counts::*kind, std::int64_t first,
                           std::int64_t from, std::int64_t to) const {
  const std::int64_t b = spec_.block_words;
  std::int64_t warps = 0;
  for (std::int64_t warp = from / b; warp * b < to; ++warp, ++warps) {
    const std::int64_t begin = std::max(from, warp * b);
    const std::int64_t lanes = std::min(to, (warp + 1) * b) - begin;
    const auto units = [&](std::int64_t unit) {
      return units_of_range((first + begin) * words_, lanes * words_, unit);
    };
    bill.global(kind, lanes, 1, units(b), units(spec_.sector_words()));
  }
  bill.idle(1, warps);
}

void HeapCost::fetch(Bill& bill, const Piece& piece) const {
  if (piece.begin >= piece.end) return;
  const std::int64_t block = bill.lanes_per_pass(words_);
  const std::int64_t width = spec_.width;
  const std::int64_t first = piece.begin - piece.begin % block;
  Bill chunk(spec_);
  chunk.alu(1);  // lane == 0
  chunk.shared_run(&Counts::shared_write, 0, 1, spec_.words_per_element(4));
  chunk.rounds(1);
  bill.add(chunk.counts(), ceil_div(piece.end - first, buffer_));
  const std::int64_t begin = piece.begin - first;
  const std::int64_t end = piece.end - first;
  const auto part = [&](std::int64_t row, std::int64_t from, std::int64_t to) {
    bill.alu(2 + 3);  // the keys that are not there; the lanes
    bill.alu_run(1, from, to - from);
    part_of_row(bill, &Counts::global_read, piece.run + first + row * width, from, to);
  };
  const std::int64_t first_whole = begin == 0 ? 0 : 1;
  const std::int64_t last_whole = end / width;
  if (first_whole == 1) part(0, begin, std::min(end, width));
  if (last_whole >= first_whole && end % width != 0) part(last_whole, 0, end % width);
  const std::int64_t whole = std::max<std::int64_t>(0, last_whole - first_whole);
  bill.alu(whole);
  whole_rows(bill, &Counts::global_read, piece.run + first + first_whole * width, whole);
}

/// Emitter: keys begin..end-1 of those that come out, key 0 of which belongs to place `first`.
void HeapCost::write(Bill& bill, std::int64_t first, std::int64_t begin, std::int64_t end,
                     std::int64_t shift) const {
  const std::int64_t width = spec_.width;
  const std::int64_t times = ceil_div(end - shift, buffer_);
  const std::int64_t rows = times * rows_;
  if (shift != 0) {
    bill.shared_rows(&Counts::shared_write, width, words_);
    Bill move(spec_);
    const auto move_tail = [&] {
      move.shared_run(&Counts::shared_read, 0, shift, words_);
      move.shared_run(&Counts::shared_write, 0, shift, words_);
    };
    move.alu(1 + 2 * rows_ + 1);
    move_tail();
    move.shared_rows(&Counts::shared_write, rows_ * width, words_);
    move.shared_rows(&Counts::shared_read, rows_ * width, words_);
    move.alu_prefix(1, shift);
    move_tail();
    bill.add(move.counts(), times);
  }
  const auto part = [&](std::int64_t row) {
    const std::int64_t from = std::max<std::int64_t>(begin - row * width, 0);
    const std::int64_t to = std::min(end - row * width, width);
    bill.alu(3);
    part_of_row(bill, &Counts::global_write, first + row * width, from, to);
    if (row == rows) bill.shared_run(&Counts::shared_read, from, to - from, words_);  // the tail
  };
  const std::int64_t first_whole = ceil_div(begin, width);
  const std::int64_t last_whole = end / width;
  if (begin % width != 0) part(first_whole - 1);
  if (last_whole >= first_whole && end % width != 0) part(last_whole);
  whole_rows(bill, &Counts::global_write, first + first_whole * width, last_whole - first_whole);
}

void HeapCost::merge(Bill& bill, std::span<const Piece> pieces, std::int64_t first) const {
  const std::int64_t block = bill.lanes_per_pass(words_);
  const std::int64_t word = spec_.words_per_element(4);
  const auto leaves = static_cast<std::int64_t>(pieces.size());
  bill.loop_rows(2 * leaves);
  bill.shared_rows(&Counts::shared_write, 2 * leaves, words_);
  std::int64_t in_front = 0;
  std::int64_t total = 0;
  for (const Piece& piece : pieces) {
    bill.shared_broadcast(&Counts::shared_read, word);
    bill.shared_broadcast(&Counts::shared_read, word);
    if (piece.begin >= piece.end) continue;
    in_front += piece.begin % block;
    total += piece.end - piece.begin;
  }
  // Nodes of depth k fetch along their left child, L-1-k levels above the leaves.
  for (std::int64_t depth = 0; depth < levels_; ++depth) {
    take(bill, std::int64_t{1} << depth, levels_ - 1 - depth);
  }
  bill.add(keep_, leaves - 1);
  take(bill, ceil_div(in_front + total, buffer_), levels_);
  for (const Piece& piece : pieces) fetch(bill, piece);
  const std::int64_t shift = (first - in_front) & (block - 1);
  const std::int64_t begin = in_front + shift;
  write(bill, first - begin, begin, begin + total, shift);
}

}  // namespace agpusim::multiway_merge_sort
