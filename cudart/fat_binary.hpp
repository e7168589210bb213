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

/// An entry of a fat binary.
struct FatBinaryEntry {
  std::string name;  ///< name of the source file, may be empty
  std::string content;
};
enum class FatBinaryKind : std::uint16_t { ptx = 1, cubin = 2 };

/// What of a fat binary a device of this compute capability (90 for 9.0) can run: the PTX, or the
/// machine code, of the highest one that is not above it. Throws FileError for what is no fat
/// binary, or is compressed in a way that is not read.
[[nodiscard]] std::optional<FatBinaryEntry> entry_of(const void* fat_binary, FatBinaryKind kind,
                                                     std::uint32_t compute);

/// The fat binaries of a wrapper. Throws FileError.
[[nodiscard]] std::vector<const void*> fat_binaries_of(const FatBinaryWrapper& wrapper);

}  // namespace agpusim::cudart
