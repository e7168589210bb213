#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

namespace agpusim {

/// Storage of lane values: equal buffers of 8 bytes per lane and 64 bytes more, 64-byte aligned,
/// recycled in LIFO order so that the working set stays in the first-level cache. One pool per host
/// thread.
class LanePool {
 public:
  /// `padded_lanes` is a multiple of 16, so that loops over a buffer need no remainder.
  explicit LanePool(int padded_lanes)
      : lane_bytes_((static_cast<std::size_t>(padded_lanes) * 8 + 63) / 64 * 64),
        bytes_(lane_bytes_ + 64) {}

  /// Where the 64 bytes behind the lanes begin.
  [[nodiscard]] std::size_t lane_bytes() const { return lane_bytes_; }
  /// Registers of the values that live now.
  [[nodiscard]] int live() const { return live_; }

  /// A buffer for a value that takes so many 32-bit registers of a lane.
  [[nodiscard]] std::byte* take(int registers) {
    live_ += registers;
    if (free_ == nullptr) grow();
    std::byte* const buffer = free_;
    std::memcpy(&free_, buffer, sizeof free_);
    return buffer;
  }
  void give(std::byte* buffer, int registers) noexcept {
    live_ -= registers;
    std::memcpy(buffer, &free_, sizeof free_);
    free_ = buffer;
  }

 private:
  struct Aligned {
    void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{64}); }
  };

  [[gnu::noinline, gnu::cold]] void grow() {
    constexpr std::size_t buffers = 32;
    auto* const slab = new (std::align_val_t{64}) std::byte[bytes_ * buffers]{};
    slabs_.emplace_back(slab);
    for (std::size_t i = buffers; i-- > 0;) give(slab + i * bytes_, 0);
  }

  std::size_t lane_bytes_;
  std::size_t bytes_;
  int live_ = 0;
  std::vector<std::unique_ptr<std::byte[], Aligned>> slabs_;
  std::byte* free_ = nullptr;  // a list: each free buffer begins with the address of the next
};

}  // namespace agpusim
