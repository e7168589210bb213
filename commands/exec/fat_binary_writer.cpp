#include "agpusim/commands/exec/fat_binary_writer.hpp"

#include <bit>

#include "agpusim/validation/exec/fat_binary_format.hpp"

namespace agpusim::exec {
namespace {

static_assert(std::endian::native == std::endian::little);

/// With null bytes up to a multiple of 8, one at least.
std::string padded(std::string text) {
  text.resize((text.size() / 8 + 1) * 8);
  return text;
}

template <class T>
std::string bytes_of(const T& header) {
  return {reinterpret_cast<const char*>(&header), sizeof header};
}

}  // namespace

std::string fat_binary_of(const std::string& ptx, const std::string& source,
                          std::uint32_t compute) {
  const std::string name = padded(source);
  const std::string text = padded(ptx);
  fat_binary::Entry entry{};
  entry.kind = 1;
  entry.version = 0x101;
  entry.header_bytes = static_cast<std::uint32_t>(sizeof entry + name.size());
  entry.bytes = text.size();
  entry.options = entry.name = sizeof entry;
  entry.major = 7;
  entry.compute = compute;
  entry.name_bytes = static_cast<std::uint32_t>(source.size());
  entry.flags = 0x41;  // 64-bit addresses, a host of Linux
  const fat_binary::Header header{fat_binary::header_magic, 1, sizeof header,
                                  entry.header_bytes + entry.bytes};
  return bytes_of(header) + bytes_of(entry) + name + text;
}

}  // namespace agpusim::exec
