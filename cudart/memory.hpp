#pragma once

#include "agpusim/cudart/runtime.hpp"

namespace agpusim::cudart {

/// Memory of the device in rows, whose begins lie `pitch` bytes apart.
Status allocate_rows(Runtime& runtime, void** pointer, std::size_t* pitch, std::size_t width,
                     std::size_t height);
/// Gives memory back; throws where it was not given, or `of_host` is not so.
Status release(Runtime& runtime, void* pointer, bool of_host);

}  // namespace agpusim::cudart
