#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/ptx/shared_shadow.hpp"

namespace agpusim::ptx {

/// A barrier that 64 bits of shared memory stand for (PTX ISA, 9.7.13.15). A phase ends when all
/// its arrivals have come and as many bytes have been copied as were announced.
struct Mbarrier {
  static constexpr std::int64_t most = (1 << 20) - 1;  ///< arrivals, and bytes of either sign

  std::uint32_t expected = 0;                  ///< arrivals of each phase
  std::uint32_t pending = expected;            ///< arrivals that this phase still waits for
  std::int64_t bytes = 0;                      ///< announced, and not copied yet
  std::uint32_t phase = 0;                     ///< number of phases that have ended
  SharedShadow::Clock arrived{};               ///< what came before the arrivals
  SharedShadow::Clock ended{};                 ///< what came before the end of the last phase
  std::vector<SharedShadow::Copy> copying{};   ///< copies that this phase waits for
  std::vector<SharedShadow::Copy> to_learn{};  ///< ended copies that no lane knows yet

  /// What an arrival returns: the phase, and the pending arrivals before it.
  [[nodiscard]] std::uint64_t state() const { return std::uint64_t{phase} << 32 | pending; }
  /// Ends the phase where nothing is missing.
  void end_phase() {
    if (pending != 0 || bytes != 0) return;
    ++phase;
    pending = expected;
    ended = arrived;
    to_learn.insert(to_learn.end(), copying.begin(), copying.end());
    copying.clear();
  }
};

}  // namespace agpusim::ptx
