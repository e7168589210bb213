#pragma once

#include <cstdint>
#include <string>

namespace agpusim::exec {

/// A fat binary with the PTX of one source, as cudart/fat_binary.cpp reads it. `compute`: 80 for
/// 8.0.
[[nodiscard]] std::string fat_binary_of(const std::string& ptx, const std::string& source,
                                        std::uint32_t compute);

}  // namespace agpusim::exec
