#pragma once

#include <cstdint>

#include "agpusim/algorithms/fused_bitonic_sort/tile_cost.hpp"
#include "agpusim/model/run/run.hpp"

namespace agpusim::fused_bitonic_sort {

/// What the tasks of a RegisterPass or a TilePass are charged: the strides 2^(high-1) ...
/// 2^(high-strides) over the n keys of whole blocks of 2^high keys but perhaps the last.
class PassCost {
 public:
  /// `task`: of the keys of a task; `words` per key; V and b are powers of two.
  PassCost(const AgpuSpec& spec, const TileCost& task, std::int32_t task_bits, std::int64_t words,
           std::int64_t n, std::int32_t high, std::int32_t strides, bool flip);

  [[nodiscard]] PhaseForm form() const;

 private:
  /// Places of a task's keys, relative to the begin of its block.
  struct Window {
    std::int64_t begin;  ///< in a row
    std::int64_t rest;   ///< keys of the block before n
  };

  [[nodiscard]] bool in_registers() const { return strides_ <= task_.q(); }
  [[nodiscard]] std::int64_t windows() const { return std::int64_t{1} << (high_ - task_bits_); }
  [[nodiscard]] std::int64_t row() const { return std::int64_t{1} << (high_ - strides_); }
  [[nodiscard]] std::int64_t size() const { return std::int64_t{1} << (task_bits_ - strides_); }
  [[nodiscard]] std::int64_t place(const Window& window, std::int64_t i) const;
  [[nodiscard]] std::int64_t keys(const Window& window) const;
  [[nodiscard]] Counts register_pass(const Window& window) const;
  [[nodiscard]] Counts tile_pass(const Window& window) const;
  bool access(Bill& bill, GlobalCounts Counts::*kind, const Window& window, std::int32_t p,
              std::int64_t turn, bool mirrored) const;

  AgpuSpec spec_;
  TileCost task_;
  std::int32_t task_bits_;
  std::int64_t words_;
  std::int64_t n_;
  std::int32_t high_;
  std::int32_t strides_;
  bool flip_;
};

}  // namespace agpusim::fused_bitonic_sort
