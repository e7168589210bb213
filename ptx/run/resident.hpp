#pragma once

#include <algorithm>
#include <cstdint>

namespace agpusim::ptx {

/// CTAs that a multiprocessor runs at once, and what keeps it from running more.
struct Resident {
  std::int64_t ctas = 0;
  const char* limit = "";  ///< "CTAs", "warps", "registers" or "shared memory"
};

/// What a multiprocessor has for CTAs (CUDA's guide, compute capability 9.0).
struct Multiprocessor {
  std::int64_t ctas = 32;
  std::int64_t warps = 64;
  std::int64_t registers = 65536;
  std::int64_t shared_bytes = 0;
  std::int64_t reserved_bytes = 1024;  ///< shared memory that CUDA takes of each CTA

  /// CTAs of so many warps, registers of a lane and bytes of shared memory that run at once.
  [[nodiscard]] Resident resident(std::int64_t warps_of_cta, std::int64_t registers_of_lane,
                                  std::int64_t shared_of_cta) const {
    constexpr std::int64_t fewest = 16;  // registers that a lane has at least
    constexpr std::int64_t unit = 8;     // they come in eights
    constexpr std::int64_t lanes = 32;
    const std::int64_t of_lane = std::max(fewest, (registers_of_lane + unit - 1) / unit * unit);
    Resident result{ctas, "CTAs"};
    const auto at_most = [&](std::int64_t most, const char* limit) {
      if (most < result.ctas) result = {most, limit};
    };
    at_most(warps / warps_of_cta, "warps");
    at_most(registers / (warps_of_cta * lanes * of_lane), "registers");
    if (shared_of_cta + reserved_bytes > 0) {
      at_most(shared_bytes / (shared_of_cta + reserved_bytes), "shared memory");
    }
    return result;
  }
};

}  // namespace agpusim::ptx
