#pragma once

#include <memory>
#include <string>

#include "agpusim/cudart/registry.hpp"

namespace agpusim::cudart {

/// Stands between PTX texts that are linked when the image is loaded.
inline constexpr const char* next_ptx = "\n// agpusim: next PTX\n";

/// The device code of what a program loads: PTX texts, a fat binary, or a cubin in which
/// `ptxas -lineinfo` has kept the PTX. Throws Failure, FileError or PtxError.
[[nodiscard]] std::unique_ptr<DeviceCode> code_of_image(const void* image, const std::string& name);

}  // namespace agpusim::cudart
