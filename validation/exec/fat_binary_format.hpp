#pragma once

#include <cstdint>

/// How nvcc lays out device code in a program: a header, then entries, each with a header of its
/// own.
namespace agpusim::exec::fat_binary {

struct Header {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_bytes;
  std::uint64_t bytes;  ///< bytes of all entries behind the header
};
inline constexpr std::uint32_t header_magic = 0xba55ed50;

struct Entry {
  std::uint16_t kind;  ///< 1 for PTX, 2 for machine code
  std::uint16_t version;
  std::uint32_t header_bytes;
  std::uint64_t bytes;             ///< bytes behind the header, with padding
  std::uint32_t compressed_bytes;  ///< without padding; 0 where it is not compressed
  std::uint32_t options;           ///< offset
  std::uint16_t minor;             ///< minor version of the PTX ISA
  std::uint16_t major;
  std::uint32_t compute;
  std::uint32_t name;  ///< offset from the begin of the entry
  std::uint32_t name_bytes;
  std::uint64_t flags;
  std::uint64_t reserved;
  std::uint64_t text_bytes;  ///< uncompressed
};
static_assert(sizeof(Header) == 16 && sizeof(Entry) == 64);

}  // namespace agpusim::exec::fat_binary
