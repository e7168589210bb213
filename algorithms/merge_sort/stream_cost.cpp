#include "agpusim/algorithms/merge_sort/stream_cost.hpp"

#include <algorithm>

#include "agpusim/model/cost/units.hpp"

namespace agpusim::multiway_merge_sort {

std::int64_t StreamCost::keys_in_front(Bill& bill, std::span<const Piece> pieces) const {
  const std::int64_t block = bill.lanes_per_pass(words_);
  std::int64_t sum = 0;
  for (const Piece& piece : pieces) {
    bill.shared_broadcast(&Counts::shared_read, spec_.words_per_element(4));
    bill.shared_broadcast(&Counts::shared_read, spec_.words_per_element(4));
    if (piece.begin < piece.end) sum += piece.begin % block;
  }
  return sum;
}

void StreamCost::take(Bill& bill, std::int64_t times) const {
  Bill borders(spec_);
  borders.shared_broadcast(&Counts::shared_read, spec_.words_per_element(4));
  borders.shared_broadcast(&Counts::shared_read, spec_.words_per_element(4));
  bill.add(borders.counts(), times);
}

/// An access of each of `rows` rows of V keys, the first at key `first`.
void StreamCost::whole_rows(Bill& bill, GlobalCounts Counts::*kind, std::int64_t first,
                            std::int64_t rows) const {
  if (rows > 0) bill.global_rows(kind, rows * spec_.width, first * words_, words_);
}

/// An access of keys from..to-1 of the row of V keys at key `first`.
void StreamCost::part_of_row(Bill& bill, GlobalCounts Counts::*kind, std::int64_t first,
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

void StreamCost::read(Bill& bill, const Piece& piece) const {
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

void StreamCost::write(Bill& bill, std::int64_t first, std::int64_t begin, std::int64_t end) const {
  // Key 0 of those that are written, the first of a block, belongs to place `first`.
  const std::int64_t shift = (first - begin) & (bill.lanes_per_pass(words_) - 1);
  first -= begin + shift;
  begin += shift;
  end += shift;
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

}  // namespace agpusim::multiway_merge_sort
