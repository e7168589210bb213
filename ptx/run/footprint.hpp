#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "agpusim/model/agpu/zeroed_memory.hpp"
#include "agpusim/ptx/run/ranges.hpp"

namespace agpusim::ptx {

/// How bytes are used. Strong writes are volatile, relaxed or stronger: others may look for them.
/// Strong reads are not noted.
enum class Use : std::uint8_t { read, write, atomic, strong_write };

/// The bytes that something uses, by Use.
struct Uses {
  std::array<Ranges, 4> of;

  [[nodiscard]] const Ranges& operator[](Use use) const {
    return of[static_cast<std::size_t>(use)];
  }
  [[nodiscard]] Ranges& operator[](Use use) { return of[static_cast<std::size_t>(use)]; }
};

/// Takes note of the bytes of an allocation that a launch uses; several host threads may.
class Footprint {
 public:
  /// Throws std::bad_alloc.
  explicit Footprint(std::uint64_t bytes);

  /// The launch uses the bytes first .. end - 1.
  void note(Use use, std::uint64_t first, std::uint64_t end) {
    auto* const bits = bits_[static_cast<std::size_t>(use)].as<std::uint64_t>();
    constexpr std::uint64_t all = ~std::uint64_t{0};
    for (std::uint64_t at = first; at < end; at = at / 64 * 64 + 64) {
      const std::uint64_t last = std::min(end - at / 64 * 64, std::uint64_t{64});
      const std::uint64_t mask = all << at % 64 & all >> (64 - last);
      const std::atomic_ref cell(bits[at / 64]);
      if ((cell.load(std::memory_order_relaxed) & mask) == mask) continue;
      if (mask == all) {
        cell.store(mask, std::memory_order_relaxed);
      } else {
        cell.fetch_or(mask, std::memory_order_relaxed);
      }
      const std::atomic_ref block(blocks_.as<std::uint8_t>()[at / block_bytes]);
      block.store(1, std::memory_order_relaxed);
    }
  }
  /// Adds what was noted to `uses`, for an allocation that begins at `begin`, and forgets it. What
  /// lies in too many pieces is left out.
  void take(std::uint64_t begin, Uses& uses);

 private:
  static constexpr std::uint64_t block_bytes = 4096;

  std::uint64_t count_;               // blocks
  std::array<ZeroedMemory, 4> bits_;  // a bit for each byte
  ZeroedMemory blocks_;               // 1: something was noted in it
};

}  // namespace agpusim::ptx
