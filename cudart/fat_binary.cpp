#include "agpusim/cudart/fat_binary.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <zstd.h>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim::cudart {
namespace {

struct Header {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_bytes;
  std::uint64_t bytes;  // of all entries behind the header
};
constexpr std::uint32_t header_magic = 0xba55ed50;

struct Entry {
  std::uint16_t kind;
  std::uint16_t version;
  std::uint32_t header_bytes;
  std::uint64_t bytes;             // of what follows the header, with padding
  std::uint32_t compressed_bytes;  // without padding; 0 where it is not compressed
  std::uint32_t options;           // offset
  std::uint16_t minor;             // of the PTX ISA
  std::uint16_t major;
  std::uint32_t compute;
  std::uint32_t name;  // offset from the begin of the entry
  std::uint32_t name_bytes;
  std::uint64_t flags;
  std::uint64_t reserved;
  std::uint64_t text_bytes;  // uncompressed
};
static_assert(sizeof(Entry) == 64);
constexpr std::uint16_t ptx_kind = 1;
constexpr std::uint64_t lz4_flag = 0x2000;
constexpr std::uint64_t zstd_flag = 0x8000;

template <class T>
T read_at(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

std::string decompressed(const Entry& entry, const std::byte* payload) {
  const auto* const bytes = reinterpret_cast<const char*>(payload);
  std::string text;
  if ((entry.flags & zstd_flag) != 0) {
    text.resize(entry.text_bytes);
    const std::size_t size =
        ZSTD_decompress(text.data(), text.size(), bytes, entry.compressed_bytes);
    if (ZSTD_isError(size) != 0U) {
      throw FileError(fmt::format("the PTX of the program cannot be decompressed: {}",
                                  ZSTD_getErrorName(size)));
    }
    text.resize(size);
  } else if ((entry.flags & lz4_flag) != 0) {
    throw FileError(
        "the PTX of the program is compressed with LZ4, which is not read: build it again with "
        "nvcc --compress-mode=default");
  } else {
    text.assign(bytes, entry.bytes);
  }
  // It is padded with null bytes.
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

}  // namespace

std::optional<FatBinaryText> text_of(const void* fat_binary, std::uint32_t compute) {
  const auto* at = static_cast<const std::byte*>(fat_binary);
  const auto header = read_at<Header>(at);
  if (header.magic != header_magic) {
    throw FileError(fmt::format("no fat binary of CUDA: it begins with 0x{:08x}", header.magic));
  }
  at += header.header_bytes;
  const std::byte* const end = at + header.bytes;
  const std::byte* best = nullptr;
  std::uint32_t best_compute = 0;
  while (at < end) {
    const auto entry = read_at<Entry>(at);
    if (entry.header_bytes < sizeof(Entry) ||
        entry.bytes > static_cast<std::uint64_t>(end - at) - entry.header_bytes) {
      throw FileError("a damaged fat binary: an entry is larger than all");
    }
    if (entry.kind == ptx_kind && entry.compute <= compute && entry.compute > best_compute) {
      best = at;
      best_compute = entry.compute;
    }
    at += entry.header_bytes + entry.bytes;
  }
  if (best == nullptr) return {};
  const auto entry = read_at<Entry>(best);
  FatBinaryText text;
  text.name.assign(reinterpret_cast<const char*>(best + entry.name), entry.name_bytes);
  text.name.resize(std::min(text.name.size(), text.name.find('\0')));
  text.ptx = decompressed(entry, best + entry.header_bytes);
  return text;
}

std::vector<const void*> fat_binaries_of(const FatBinaryWrapper& wrapper) {
  if (wrapper.magic != FatBinaryWrapper{}.magic) {
    throw FileError(fmt::format("no wrapper of a fat binary: 0x{:08x}", wrapper.magic));
  }
  if (wrapper.version == 1) return {wrapper.data};
  std::vector<const void*> all;
  for (const void* const* next = wrapper.linked; *next != nullptr; ++next) all.push_back(*next);
  return all;
}

}  // namespace agpusim::cudart
