#include "agpusim/commands/exec/fat_binary_writer.hpp"

#include <bit>
#include <type_traits>

namespace agpusim::exec {
namespace {

static_assert(std::endian::native == std::endian::little);

class ByteWriter {
 public:
  template <class... T>
  void add(T... numbers) {
    (bytes_.append(reinterpret_cast<const char*>(&numbers), sizeof numbers), ...);
  }
  /// With null bytes up to a multiple of 8, one at least.
  void add_padded(const std::string& text) { bytes_.append(text).append(padding(text), '\0'); }
  [[nodiscard]] static std::size_t padding(const std::string& text) { return 8 - text.size() % 8; }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

template <class T>
T number(std::size_t value) {
  return static_cast<T>(value);
}

}  // namespace

std::string fat_binary_of(const std::string& ptx, const std::string& source,
                          std::uint32_t compute) {
  using U16 = std::uint16_t;
  using U32 = std::uint32_t;
  using U64 = std::uint64_t;
  constexpr std::size_t own_header = 64;
  constexpr U64 flags = 0x41;  // 64-bit addresses, a host of Linux
  const std::size_t text = ptx.size() + ByteWriter::padding(ptx);
  const std::size_t header = own_header + source.size() + ByteWriter::padding(source);
  ByteWriter entry;
  entry.add(U16{1}, U16{0x101}, number<U32>(header), number<U64>(text), U32{0}, U32{own_header},
            U16{0}, U16{7}, compute, U32{own_header}, number<U32>(source.size()), flags, U64{0},
            U64{0});
  entry.add_padded(source);
  entry.add_padded(ptx);
  ByteWriter all;
  all.add(U32{0xba55ed50}, U16{1}, U16{16}, number<U64>(entry.bytes().size()));
  return all.bytes() + entry.bytes();
}

}  // namespace agpusim::exec
