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

/// Fills `height` rows of `width` elements, whose begins lie `pitch` bytes apart.
Status fill_rows(Stream* stream, void* to, std::size_t pitch, const Pattern& pattern,
                 std::size_t width, std::size_t height);

/// Status of a copy in the legacy stream, for which the program waits.
Status waited(Status status);

}  // namespace agpusim::cudart
