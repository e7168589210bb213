#pragma once

#include <cstddef>
#include <cstdint>

#include "agpusim/cudart/abi.hpp"

namespace agpusim::cudart {

class Runtime;

/// Throws where the device does not hold all of these bytes.
void require_on_device(Runtime& runtime, const void* begin, std::size_t bytes);

/// What a fill writes again and again.
struct Pattern {
  std::uint32_t bits = 0;
  std::size_t bytes = 1;  ///< 1, 2 or 4
};

/// Fills `count` elements, which must be aligned. `waits`: as a function without a stream does.
Status fill_elements(Stream* stream, void* to, const Pattern& pattern, std::size_t count,
                     bool waits);

}  // namespace agpusim::cudart
