#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace agpusim::cudart {

/// Bytes from there on that this process may read; 0 for null.
[[nodiscard]] std::size_t readable_bytes(const void* begin);

/// What nvcc hands to __cudaRegisterFatBinary.
struct FatBinaryWrapper {
  std::uint32_t magic = 0x466243b1;
  /// 1: one fat binary in `data`; 2: of -rdc=true, several in the null-terminated list `linked`.
  std::uint32_t version = 1;
  const void* data = nullptr;
  const void* const* linked = nullptr;
};

/// A PTX text of a fat binary.
struct FatBinaryText {
  std::string name;  ///< name of the source file, may be empty
  std::string ptx;
};

/// What of a fat binary a device of this compute capability (90 for 9.0) can run: the PTX of the
/// highest one that is not above it. Nothing where there is only machine code. Throws FileError for
/// what is no fat binary, or is compressed in a way that is not read.
[[nodiscard]] std::optional<FatBinaryText> text_of(const void* fat_binary, std::uint32_t compute);

/// The fat binaries of a wrapper. Throws FileError.
[[nodiscard]] std::vector<const void*> fat_binaries_of(const FatBinaryWrapper& wrapper);

}  // namespace agpusim::cudart
