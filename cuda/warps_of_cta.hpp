#pragma once

#include <cstdint>

namespace agpusim {

/// Most one-warp tasks that share a CTA: how launches pack them, and predictions of launches.
inline constexpr std::int32_t max_warps_per_cta = 8;

}  // namespace agpusim
