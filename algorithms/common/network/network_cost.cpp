#include "agpusim/algorithms/common/network/network_cost.hpp"

#include <bit>

#include "agpusim/algorithms/common/indexed_form.hpp"

namespace agpusim {
namespace {

std::int32_t lg(std::int64_t power) {
  return static_cast<std::int32_t>(std::countr_zero(static_cast<std::uint64_t>(power)));
}

}  // namespace

NetworkCost::NetworkCost(const AgpuSpec& spec, std::int32_t q, std::int64_t words)
    : spec_(spec),
      q_(q),
      words_(words),
      lane_bits_(lg(spec.width)),
      bank_bits_(lg(Bill(spec).lanes_per_pass(words))) {}

std::int64_t NetworkCost::place(std::int64_t index) const {
  // Bank bit c-1-t is exclusive-ored with bit q-1-(t mod q) of those above the banks.
  std::int64_t result = index;
  for (std::int32_t t = 0; t < bank_bits_; ++t) {
    const std::int32_t above = bank_bits_ + q_ - 1 - t % q_;
    result ^= (index >> above & 1) << (bank_bits_ - 1 - t);
  }
  return result;
}

std::int64_t NetworkCost::index(std::int64_t lane, std::int32_t p) const {
  return (lane >> p << (p + q_)) | (lane & ((std::int64_t{1} << p) - 1));
}

void NetworkCost::place(Bill& bill) const { bill.alu(2 + 2 * ((bank_bits_ + q_ - 1) / q_)); }

void NetworkCost::base(Bill& bill, std::int32_t p) const {
  bill.alu(p == 0 ? 1 : p == lane_bits_ ? 0 : 4);
  place(bill);
}

void NetworkCost::access(Bill& bill, SharedCounts Counts::*kind, std::int32_t p,
                         std::int32_t registers,
                         const std::function<std::int64_t(std::int64_t)>& from) const {
  const IndexedAccess shared(spec_, words_);
  std::vector<std::int32_t> places(static_cast<std::size_t>(spec_.width));
  for (std::int64_t j = 0; j < registers; ++j) {
    for (std::size_t lane = 0; lane < places.size(); ++lane) {
      places[lane] = static_cast<std::int32_t>(from(index(static_cast<std::int64_t>(lane), p)) ^
                                               place(j << p));
    }
    shared.shared(bill, kind, places, 0);
  }
  bill.alu(registers);
}

void NetworkCost::access(Bill& bill, SharedCounts Counts::*kind, std::int32_t p) const {
  access(bill, kind, p, 1 << q_, [&](std::int64_t i) { return place(i); });
}

void NetworkCost::halve(Bill& bill, std::int32_t bits) const {
  bill.alu(std::int64_t{bits} << q_);  // min and max of half as many comparators
}

void NetworkCost::merge_bases(Bill& bill) const {
  base(bill, lane_bits_);
  for (std::int32_t p = lane_bits_; p > 0; p = below(p)) base(bill, below(p));
}

void NetworkCost::merge(Bill& bill) const {
  halve(bill, q_);
  for (std::int32_t p = lane_bits_; p > 0; p = below(p)) {
    access(bill, &Counts::shared_write, p);
    access(bill, &Counts::shared_read, below(p));
    halve(bill, p - below(p));
  }
}

void NetworkCost::sort(Bill& bill, std::int32_t size_bits) const {
  for (std::int32_t bits = 1; bits <= q_; ++bits) halve(bill, bits);
  for (std::int32_t bits = q_ + 1; bits <= size_bits; ++bits) {
    const std::int64_t half = std::int64_t{1} << (bits - 1);
    bill.alu(1 + 4);  // own index; its reverse
    place(bill);
    access(bill, &Counts::shared_write, 0, 1 << q_,
           [&](std::int64_t i) { return place((i & half) != 0 ? i ^ (half - 1) : i); });
    std::int32_t p = bits - q_;
    base(bill, p);
    access(bill, &Counts::shared_read, p);
    halve(bill, q_);
    for (; p > 0; p = below(p)) {
      access(bill, &Counts::shared_write, p);
      base(bill, below(p));
      access(bill, &Counts::shared_read, below(p));
      halve(bill, p - below(p));
    }
  }
}

}  // namespace agpusim
