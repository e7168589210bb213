#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "agpusim/ptx/lower/program.hpp"
#include "agpusim/ptx/run/memory.hpp"

namespace agpusim::ptx {

/// What a device caches. The caches are simulated for one line of 128 bytes in `sampled`, by hash.
struct CacheSizes {
  static constexpr std::uint64_t sampled = 16;

  std::int64_t multiprocessors = 0;  ///< 0: no caches are simulated
  std::int64_t l1_bytes = 0;         ///< bytes of a multiprocessor, with its shared memory
  std::int64_t shared_bytes = 0;     ///< most of them that CTAs have
  std::int64_t l2_bytes = 0;
};

/// The sampled lines that a CTA uses, in the order of its warps. What it has used just before, with
/// as many sectors, is left out: its L1 cache holds it.
class LineTrace {
 public:
  /// A line: its allocation, its number there, what is done and to which sectors.
  using Use = std::uint64_t;
  enum Kind : std::uint64_t {
    read = 0,
    write = 1,
    atomic = 2,
    host_read = 3,
    host_write = 4,
    local_write = 5
  };

  static std::uint64_t hash(std::uint64_t line) { return line * 0x9e3779b97f4a7c15; }
  static bool is_sampled(std::uint64_t line) { return hash(line) >> 60 == 0; }
  static std::uint64_t line(Use use) { return use >> 8; }
  static Kind kind(Use use) { return static_cast<Kind>(use >> 4 & 15); }
  static std::uint32_t sectors(Use use) { return use & 15; }

  /// Bytes of an allocation.
  void use(const Allocation& allocation, Kind kind, std::uint64_t first, std::uint64_t end) {
    constexpr std::uint64_t line_bytes = 128;
    constexpr std::uint64_t sector_bytes = 32;
    for (std::uint64_t at = first - allocation.begin; at < end - allocation.begin;) {
      const std::uint64_t next =
          std::min(end - allocation.begin, (at / line_bytes + 1) * line_bytes);
      const std::uint64_t number = allocation.number << 32 | at / line_bytes;
      const std::uint64_t low = at % line_bytes / sector_bytes;
      const std::uint64_t high = (next - 1) % line_bytes / sector_bytes;
      use(number, kind, ((2U << high) - 1) & ~((1U << low) - 1));
      at = next;
    }
  }
  /// Some sectors of a line.
  void use(std::uint64_t line, Kind kind, std::uint64_t sectors) {
    if (is_sampled(line)) add(line, kind, sectors);
  }
  /// The line that has a word of local memory of each lane of a warp.
  static std::uint64_t local_line(std::uint64_t warp, std::uint64_t words, std::uint64_t word) {
    constexpr std::uint64_t local = std::uint64_t{1} << 54;
    return local + warp * words + word;
  }
  [[nodiscard]] std::vector<Use> take() {
    recent_ = {};
    return std::move(uses_);
  }

 private:
  void add(std::uint64_t number, Kind kind, std::uint64_t sectors) {
    Use& recent = recent_[hash(number) >> 54 & 63];
    const Use use = number << 8 | kind << 4 | sectors;
    if ((recent ^ use) >> 4 == 0 && (sectors & ~recent) == 0) return;
    recent = use;
    uses_.push_back(use);
  }

  std::vector<Use> uses_;
  std::array<Use, 64> recent_{};
};

/// The caches of a device: L1 of each multiprocessor, which its resident CTAs share and which ends
/// with the launch, and L2, which does not. The least recently used line of a set makes place.
class Caches {
 public:
  explicit Caches(const CacheSizes& sizes);

  /// CTAs of so many bytes of shared memory, warps and registers of a lane follow.
  void begin_launch(std::int64_t shared_bytes, std::int64_t warps, std::int64_t registers);
  /// CTAs that the device runs at once.
  [[nodiscard]] std::int64_t wave() const { return sizes_.multiprocessors * resident_; }
  /// These CTAs run at once: each does as much as the others, in turns.
  void run(std::span<const std::vector<LineTrace::Use>> ctas);
  /// The host has filled these bytes: with copies (they are in memory only) or on the device.
  void fill(const Allocation& allocation, std::uint64_t first, std::uint64_t bytes, bool copied);
  /// Adds what the launch has moved so far.
  void add_to(PhaseExecution& execution) const;

 private:
  struct Slot {
    std::uint64_t line = ~std::uint64_t{0};
    std::uint64_t used = 0;  // when
    std::uint32_t held = 0;  // sectors
    std::uint32_t dirty = 0;
  };
  /// Sets of one cache, or of the caches of all multiprocessors.
  struct Sets {
    std::uint64_t count = 0;
    std::uint64_t ways = 0;
    std::vector<Slot> slots;
    std::uint64_t since = 0;  // what was used before is forgotten
  };

  /// The slot of a line, now its own; a line that made place has as many sectors to write.
  Slot& slot(Sets& sets, std::uint64_t cache, std::uint64_t line, std::uint32_t& to_write);
  void use(std::uint64_t multiprocessor, LineTrace::Use use);
  void use_l2(std::uint64_t line, std::uint32_t sectors, bool reads, bool writes);

  CacheSizes sizes_;
  std::int64_t resident_ = 1;
  Sets l1_;
  Sets l2_;
  std::uint64_t now_ = 0;
  PhaseExecution moved_;  // sampled sectors
};

}  // namespace agpusim::ptx
