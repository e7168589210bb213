#include "agpusim/validation/io/xz.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <lzma.h>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/atomic_file.hpp"

namespace agpusim {

std::string read_xz(const std::filesystem::path& path) {
  const std::string packed = read_file(path);
  lzma_stream stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&stream, std::numeric_limits<std::uint64_t>::max(), 0) != LZMA_OK) {
    throw IoError(fmt::format("{}: no memory to unpack it", path.string()));
  }
  stream.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
  stream.avail_in = packed.size();
  std::string text;
  std::array<char, 1 << 16> part;
  lzma_ret state = LZMA_OK;
  while (state == LZMA_OK) {
    stream.next_out = reinterpret_cast<std::uint8_t*>(part.data());
    stream.avail_out = part.size();
    state = lzma_code(&stream, LZMA_FINISH);
    text.append(part.data(), part.size() - stream.avail_out);
  }
  lzma_end(&stream);
  if (state != LZMA_STREAM_END) {
    throw IoError(fmt::format("{}: damaged, or no file of xz", path.string()));
  }
  return text;
}

}  // namespace agpusim
