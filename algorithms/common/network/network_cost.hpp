#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "agpusim/algorithms/common/network/key_places.hpp"
#include "agpusim/model/cost/bill.hpp"

namespace agpusim {

/// What BitonicRegisters with 2^q keys a lane is charged. Accesses to shared memory are priced by
/// looking at every lane's place.
class NetworkCost {
 public:
  /// `words` per key; V and b are powers of two.
  NetworkCost(const AgpuSpec& spec, std::int32_t q, std::int64_t words);

  [[nodiscard]] std::int32_t lane_bits() const { return lane_bits_; }
  /// KeyPlaces::place of one index.
  [[nodiscard]] std::int64_t place(std::int64_t index) const;

  /// KeyPlaces::place of all lanes' indices.
  void place(Bill& bill) const;
  /// BitonicRegisters::base.
  void base(Bill& bill, std::int32_t p) const;
  /// `registers` accesses of every lane at from(index), index being the lane's in layout p, and the
  /// part of register j = 0, 1, ...
  void access(Bill& bill, SharedCounts Counts::*kind, std::int32_t p, std::int32_t registers,
              const std::function<std::int64_t(std::int64_t)>& from) const;
  /// BitonicRegisters::write or read.
  void access(Bill& bill, SharedCounts Counts::*kind, std::int32_t p) const;
  /// Layouts that a merge passes through.
  [[nodiscard]] std::int64_t merge_layouts() const { return 1 + (lane_bits_ + q_ - 1) / q_; }
  void merge_bases(Bill& bill) const;
  void merge(Bill& bill) const;
  void sort(Bill& bill, std::int32_t size_bits) const;

 private:
  void halve(Bill& bill, std::int32_t bits) const;
  [[nodiscard]] std::int64_t index(std::int64_t lane, std::int32_t p) const;
  [[nodiscard]] std::int32_t below(std::int32_t p) const { return p < q_ ? 0 : p - q_; }

  AgpuSpec spec_;
  std::int32_t q_;
  std::int64_t words_;
  std::int32_t lane_bits_;
  std::int32_t bank_bits_;
};

}  // namespace agpusim
