#include "agpusim/ptx/run/footprint.hpp"

#include <bit>
#include <cstring>

namespace agpusim::ptx {

Footprint::Footprint(std::uint64_t bytes)
    : count_(bytes / block_bytes + 1), blocks_(static_cast<std::int64_t>(count_)) {
  for (ZeroedMemory& bits : bits_) {
    bits = ZeroedMemory(static_cast<std::int64_t>(count_ * block_bytes / 8));
  }
}

void Footprint::take(std::uint64_t begin, Uses& uses) {
  constexpr std::size_t most = 1 << 14;  // ranges of an allocation
  auto* const blocks = blocks_.as<std::uint8_t>();
  std::array<Ranges, 4> found;
  for (std::uint64_t block = 0; block < count_; ++block) {
    const void* const next = std::memchr(blocks + block, 1, count_ - block);
    if (next == nullptr) break;
    block = static_cast<std::uint64_t>(static_cast<const std::uint8_t*>(next) - blocks);
    blocks[block] = 0;
    for (std::size_t use = 0; use < found.size(); ++use) {
      auto* const bits = bits_[use].as<std::uint64_t>();
      for (std::uint64_t i = block * block_bytes / 64; i < (block + 1) * block_bytes / 64; ++i) {
        for (std::uint64_t left = bits[i]; left != 0;) {
          const int first = std::countr_zero(left);
          const int count = std::countr_one(left >> first);
          const std::uint64_t at = begin + i * 64 + static_cast<std::uint64_t>(first);
          if (found[use].size() < most) {
            found[use].add({at, at + static_cast<std::uint64_t>(count)});
          }
          left = count == 64 ? 0 : left & ~(((std::uint64_t{1} << count) - 1) << first);
        }
        if (bits[i] != 0) bits[i] = 0;
      }
    }
  }
  for (std::size_t use = 0; use < found.size(); ++use) {
    if (found[use].size() == most) continue;
    for (const Range& range : found[use]) uses.of[use].add(range);
  }
}

}  // namespace agpusim::ptx
