#pragma once

#include <algorithm>
#include <cstdint>

namespace agpusim::out_of_core {

/// An array of n elements in chunks of D, the last one shorter, on N streams in turn.
struct Chunks {
  std::int64_t n = 0;
  std::int64_t size = 1;     ///< D
  std::int32_t streams = 1;  ///< N

  [[nodiscard]] std::int64_t count() const { return (n + size - 1) / size; }
  [[nodiscard]] std::int64_t first(std::int64_t chunk) const { return chunk * size; }
  [[nodiscard]] std::int64_t length(std::int64_t chunk) const {
    return std::min(size, n - first(chunk));
  }
  [[nodiscard]] std::int32_t stream(std::int64_t chunk) const {
    return static_cast<std::int32_t>(chunk % streams);
  }
  /// Elements of a buffer for any of the chunks.
  [[nodiscard]] std::int64_t buffer() const { return std::min(size, n); }
  /// Streams that have a chunk.
  [[nodiscard]] std::int32_t used_streams() const {
    return static_cast<std::int32_t>(std::min<std::int64_t>(streams, count()));
  }
};

}  // namespace agpusim::out_of_core
