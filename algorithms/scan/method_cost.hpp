#pragma once

#include <cstdint>
#include <functional>

#include "agpusim/model/cost/bill.hpp"

namespace agpusim::scan {

/// What a method of methods.hpp costs a task.
struct MethodCost {
  std::int64_t tile_size;     ///< elements
  std::int64_t shared_words;  ///< of a task
  std::int64_t segment_alu;   ///< once per segment
  /// One tile of `count` elements from element `first` of aligned arrays on.
  std::function<void(Bill& bill, std::int64_t count, std::int64_t first)> tile;
};

/// Of elements of `words` words and an operator of `operator_alu` instructions.
[[nodiscard]] MethodCost lane_serial_cost(const AgpuSpec& spec, std::int64_t words,
                                          std::int64_t operator_alu, std::int64_t per_lane);
/// `exclusive` as in Kind.
[[nodiscard]] MethodCost kogge_stone_cost(const AgpuSpec& spec, std::int64_t words,
                                          std::int64_t operator_alu, bool exclusive);
[[nodiscard]] MethodCost blelloch_cost(const AgpuSpec& spec, std::int64_t words,
                                       std::int64_t operator_alu, bool exclusive, bool padded);

}  // namespace agpusim::scan
