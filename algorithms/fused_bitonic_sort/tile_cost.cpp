#include "agpusim/algorithms/fused_bitonic_sort/tile_cost.hpp"

#include <algorithm>

#include "agpusim/algorithms/fused_bitonic_sort/shape.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim::fused_bitonic_sort {

TileCost::TileCost(const AgpuSpec& spec, std::int32_t bits, std::int32_t q, std::int64_t words)
    : spec_(spec),
      bits_(bits),
      q_(q),
      words_(words),
      turns_((std::int64_t{1} << (bits - q)) / spec.width) {}

void TileCost::strides(Bill& bill, std::int32_t count) const {
  bill.alu(std::int64_t{count} << q_);  // min and max of half as many comparators as keys
}

/// The place of register 0: the group's bits around those of the register, then those above the
/// banks once for every q bank bits.
void TileCost::base(Bill& bill, std::int32_t p) const {
  const std::int64_t bank_bits = lg(bill.lanes_per_pass(words_));
  bill.alu(p == 0 ? 1 : p == top() ? 0 : 4);
  bill.alu(2 + 2 * ceil_div(bank_bits, q_));
}

/// One access for every register, whose places follow from that of the register before.
void TileCost::walk(Bill& bill, SharedCounts Counts::*kind) const {
  bill.alu((1 << q_) - 1);
  for (std::int32_t j = 0; j < (1 << q_); ++j) bill.shared_rows(kind, spec_.width, words_);
}

void TileCost::access(Bill& bill, SharedCounts Counts::*kind, std::int32_t p) const {
  base(bill, p);
  walk(bill, kind);
}

void TileCost::sweep(Bill& bill, std::int32_t p, std::int32_t count) const {
  Bill turn(spec_);
  turn.alu(1);  // the group
  access(turn, &Counts::shared_read, p);
  strides(turn, count);
  walk(turn, &Counts::shared_write);
  bill.add(turn.counts(), turns_);
}

void TileCost::halve(Bill& bill, std::int32_t from) const {
  for (std::int32_t p = from; p > 0; p = std::max(0, p - q_)) {
    sweep(bill, std::max(0, p - q_), std::min(p, q_));
  }
}

/// The accesses to global memory of one turn; returns whether there is one.
bool TileCost::rows(Bill& bill, GlobalCounts Counts::*kind, std::int64_t length,
                    std::int64_t turn) const {
  const bool all = length == std::int64_t{1} << bits_;
  bool issued = false;
  for (std::int64_t j = 0; j < (std::int64_t{1} << q_); ++j) {
    const std::int64_t rest = length - (j << top());
    if (rest <= 0) break;
    if (!all) bill.alu(1);  // the lanes that have a key
    const std::int64_t active = std::clamp<std::int64_t>(rest - turn * spec_.width, 0, spec_.width);
    if (active > 0) {
      bill.global_rows(kind, active, 0, words_);
    } else {
      bill.idle(1, 0);
    }
    issued = issued || active > 0 || !spec_.skip_empty;
  }
  return issued;
}

void TileCost::load(Bill& bill, std::int64_t length, std::int32_t p, std::int32_t count) const {
  for (std::int64_t turn = 0; turn < turns_; ++turn) {
    bill.alu(1);  // the group
    bill.rounds(rows(bill, &Counts::global_read, length, turn) ? 1 : 0);
    strides(bill, count);
    access(bill, &Counts::shared_write, p);
  }
}

void TileCost::store(Bill& bill, std::int64_t length) const {
  for (std::int64_t turn = 0; turn < turns_; ++turn) {
    bill.alu(1);  // the group
    access(bill, &Counts::shared_read, top());
    rows(bill, &Counts::global_write, length, turn);
  }
}

Counts TileCost::sort(std::int64_t length) const {
  Bill bill(spec_);
  load(bill, length, 0, q_ * (q_ + 1) / 2);
  for (std::int32_t size = q_ + 1; size <= bits_; ++size) {
    sweep(bill, size - q_, q_);
    halve(bill, size - q_);
  }
  store(bill, length);
  return bill.counts();
}

Counts TileCost::merge(std::int64_t length) const {
  Bill bill(spec_);
  load(bill, length, top(), q_);
  halve(bill, top());
  store(bill, length);
  return bill.counts();
}

}  // namespace agpusim::fused_bitonic_sort
