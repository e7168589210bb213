#pragma once

#include <cstdint>

namespace agpusim {

/// How an access touches an element.
enum class Touch : std::uint8_t { read, write, add, max, min, fetch };

/// Whether it is an atomic operation whose result nobody reads.
[[nodiscard]] constexpr bool is_atomic(Touch touch) {
  return touch == Touch::add || touch == Touch::max || touch == Touch::min;
}

}  // namespace agpusim
