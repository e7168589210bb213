#pragma once

#include <cstdint>

#include "agpusim/model/cost/bill.hpp"
#include "agpusim/model/run/run.hpp"

namespace agpusim::fused_bitonic_sort {

/// What the tasks of a tile of 2^bits keys are charged, with 2^q keys in the registers of a lane.
/// Accesses to shared memory have no bank conflicts.
class TileCost {
 public:
  /// `words` per key.
  TileCost(const AgpuSpec& spec, std::int32_t bits, std::int32_t q, std::int64_t words);

  [[nodiscard]] std::int32_t q() const { return q_; }
  /// The layout in which register j of all groups holds neighbouring keys.
  [[nodiscard]] std::int32_t top() const { return bits_ - q_; }
  /// Turns in which V lanes take all groups.
  [[nodiscard]] std::int64_t turns() const { return turns_; }

  /// Strides between the registers of V groups.
  void strides(Bill& bill, std::int32_t count) const;
  /// Keys of V groups read from or written to the tile in layout p.
  void access(Bill& bill, SharedCounts Counts::*kind, std::int32_t p) const;

  /// TileSort and TileMerge of a tile of which `length` keys lie before n.
  [[nodiscard]] Counts sort(std::int64_t length) const;
  [[nodiscard]] Counts merge(std::int64_t length) const;
  /// A sweep over the tile in layout p.
  void sweep(Bill& bill, std::int32_t p, std::int32_t count) const;

 private:
  void halve(Bill& bill, std::int32_t from) const;
  void load(Bill& bill, std::int64_t length, std::int32_t p, std::int32_t count) const;
  void store(Bill& bill, std::int64_t length) const;
  bool rows(Bill& bill, GlobalCounts Counts::*kind, std::int64_t length, std::int64_t turn) const;
  void base(Bill& bill, std::int32_t p) const;
  void walk(Bill& bill, SharedCounts Counts::*kind) const;

  AgpuSpec spec_;
  std::int32_t bits_;
  std::int32_t q_;
  std::int64_t words_;
  std::int64_t turns_;
};

}  // namespace agpusim::fused_bitonic_sort
