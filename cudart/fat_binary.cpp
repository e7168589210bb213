#include "agpusim/cudart/fat_binary.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <lz4.h>
#include <memory>
#include <string_view>
#include <zstd.h>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/exec/fat_binary_format.hpp"

namespace agpusim::cudart {
namespace {

using exec::fat_binary::Entry;
using exec::fat_binary::Header;
using exec::fat_binary::header_magic;

constexpr std::uint64_t lz4_flag = 0x2000;
constexpr std::uint64_t zstd_flag = 0x8000;
constexpr std::uint64_t most_text = std::uint64_t{1} << 30;  // bytes, of an entry

void require(bool is_sound, const char* what) {
  if (!is_sound) throw FileError(fmt::format("a damaged fat binary: {}", what));
}

template <class T>
T read_at(const std::byte* at, const std::byte* end) {
  require(static_cast<std::size_t>(end - at) >= sizeof(T), "it ends within a header");
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// Grows with what is there: `most` bytes may be what a damaged header claims.
std::string decompressed(std::string_view packed, std::uint64_t most) {
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(),
                                                                          ZSTD_freeDStream);
  std::string text;
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  for (std::size_t left = 1; left != 0;) {
    std::array<char, 1 << 16> piece;
    ZSTD_outBuffer out{piece.data(), piece.size(), 0};
    left = ZSTD_decompressStream(stream.get(), &out, &in);
    if (ZSTD_isError(left) != 0U) {
      throw FileError(fmt::format("the PTX of the program cannot be decompressed: {}",
                                  ZSTD_getErrorName(left)));
    }
    text.append(piece.data(), out.pos);
    require(text.size() <= std::min(most, most_text), "its text is too long");
    require(left == 0 || out.pos > 0 || in.pos < in.size, "its text ends too early");
  }
  return text;
}

std::string decompressed(const Entry& entry, const std::byte* payload) {
  const auto* const bytes = reinterpret_cast<const char*>(payload);
  std::string text;
  if ((entry.flags & zstd_flag) != 0) {
    require(entry.compressed_bytes <= entry.bytes, "its text is larger than its entry");
    text = decompressed(std::string_view(bytes, entry.compressed_bytes), entry.text_bytes);
  } else if ((entry.flags & lz4_flag) != 0) {
    require(entry.compressed_bytes <= entry.bytes, "its text is larger than its entry");
    require(entry.text_bytes <= most_text, "its text is too long");
    text.resize(entry.text_bytes);
    const int length =
        LZ4_decompress_safe(bytes, text.data(), static_cast<int>(entry.compressed_bytes),
                            static_cast<int>(text.size()));
    if (length < 0) throw FileError("the PTX of the program cannot be decompressed: no LZ4");
    text.resize(static_cast<std::size_t>(length));
  } else {
    text.assign(bytes, entry.bytes);
  }
  return text;
}

}  // namespace

std::size_t readable_bytes(const void* begin) {
  const auto at = reinterpret_cast<std::uintptr_t>(begin);
  std::uintptr_t end = at;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t first = 0;
    std::uintptr_t last = 0;
    char is_readable = '-';
    if (std::sscanf(line.c_str(), "%lx-%lx %c", &first, &last, &is_readable) != 3) break;
    if (is_readable == 'r' && first <= end && end < last) end = last;
  }
  return end - at;
}

std::optional<FatBinaryEntry> entry_of(const void* fat_binary, FatBinaryKind kind,
                                       std::uint32_t compute) {
  const auto* at = static_cast<const std::byte*>(fat_binary);
  const std::byte* end = at + readable_bytes(at);
  const auto header = read_at<Header>(at, end);
  if (header.magic != header_magic) {
    throw FileError(fmt::format("no fat binary of CUDA: it begins with 0x{:08x}", header.magic));
  }
  const auto held = static_cast<std::uint64_t>(end - at);
  require(header.header_bytes >= sizeof(Header) && header.header_bytes <= held &&
              header.bytes <= held - header.header_bytes,
          "it is larger than the memory that holds it");
  at += header.header_bytes;
  end = at + header.bytes;
  const std::byte* best = nullptr;
  std::uint32_t best_compute = 0;
  while (at < end) {
    const auto entry = read_at<Entry>(at, end);
    const auto left = static_cast<std::uint64_t>(end - at);
    require(entry.header_bytes >= sizeof(Entry) && entry.header_bytes <= left &&
                entry.bytes <= left - entry.header_bytes,
            "an entry is larger than all");
    if (entry.kind == static_cast<std::uint16_t>(kind) && entry.compute <= compute &&
        entry.compute > best_compute) {
      best = at;
      best_compute = entry.compute;
    }
    at += entry.header_bytes + entry.bytes;
  }
  if (best == nullptr) return {};
  const auto entry = read_at<Entry>(best, end);
  const std::uint64_t bytes = entry.header_bytes + entry.bytes;
  require(entry.name <= bytes && entry.name_bytes <= bytes - entry.name,
          "the name of the source file lies outside");
  FatBinaryEntry result;
  result.name.assign(reinterpret_cast<const char*>(best + entry.name), entry.name_bytes);
  result.name.resize(std::min(result.name.size(), result.name.find('\0')));
  result.content = decompressed(entry, best + entry.header_bytes);
  // A text is padded with null bytes.
  if (kind == FatBinaryKind::ptx) {
    result.content.resize(std::min(result.content.size(), result.content.find('\0')));
  }
  return result;
}

std::vector<const void*> fat_binaries_of(const FatBinaryWrapper& wrapper) {
  if (wrapper.magic != FatBinaryWrapper{}.magic) {
    throw FileError(fmt::format("no wrapper of a fat binary: 0x{:08x}", wrapper.magic));
  }
  if (wrapper.version == 1) return {wrapper.data};
  require(wrapper.version == 2, "its version is unknown");
  std::vector<const void*> all;
  const std::size_t most = readable_bytes(wrapper.linked) / sizeof(void*);
  for (std::size_t i = 0;; ++i) {
    require(i < most, "its list has no end");
    if (wrapper.linked[i] == nullptr) return all;
    all.push_back(wrapper.linked[i]);
  }
}

}  // namespace agpusim::cudart
