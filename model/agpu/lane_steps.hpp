#pragma once

#include <cstdint>

#include "agpusim/model/agpu/lane_vector.hpp"

namespace agpusim {

/// Whether the `count` > 0 indices are a, a + step, a + 2·step, ..., for a step of -1, 0 or 1; the
/// last vector of them can be loaded as a whole.
inline bool have_step(const std::int32_t* index, std::int32_t count, std::int32_t step) {
  const auto lane = __builtin_convertvector(lane_numbers_of_vector, LaneVector);
  const LaneVector none{};
  LaneVector expected = (step > 0   ? lane
                         : step < 0 ? none - lane
                                    : none) +
                        static_cast<std::uint32_t>(index[0]);
  LaneVector differs{};
  std::int32_t i = 0;
  for (; i + vector_lanes <= count; i += vector_lanes) {
    differs |= load_lanes(index + i) ^ expected;
    expected += static_cast<std::uint32_t>(vector_lanes * step);
  }
  if (i < count) {
    differs |= lane_numbers_of_vector + i < count ? load_lanes(index + i) ^ expected : none;
  }
  return !any_lane(differs);
}

}  // namespace agpusim
