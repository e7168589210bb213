#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agpusim/ptx/run/launch.hpp"

namespace agpusim::ptx {

/// What a buffer holds before a launch.
enum class Content : std::uint8_t { iota, zeros, random, unwritten };

/// A buffer in global memory that a kernel is given.
struct Buffer {
  std::string name;
  Type type = Type::u32;
  std::uint64_t count = 0;
  Content content = Content::iota;
  Address address = 0;

  [[nodiscard]] std::size_t bytes() const { return count * bytes_of(type); }
};

/// The arguments of a kernel as text, in the order of its parameters: "in:u32:2^20" is a buffer of
/// 2^20 elements whose element i is i, "in:u32:1000:random" one of another content (iota, zeros,
/// random, unwritten), "1000" or "1.5" a number.
class Arguments {
 public:
  /// Throws UsageError for another number of texts than the kernel has parameters, and for one that
  /// cannot be read; the seed is of random contents.
  Arguments(const Program& program, const std::vector<std::string>& texts, Memory& memory,
            std::uint64_t seed);

  [[nodiscard]] const std::vector<std::byte>& parameters() const { return parameters_; }
  [[nodiscard]] const std::vector<Buffer>& buffers() const { return buffers_; }

 private:
  void put(const Parameter& parameter, const void* value, std::size_t bytes);

  std::vector<std::byte> parameters_;
  std::vector<Buffer> buffers_;
};

/// "12", "2x3x1". Throws UsageError.
[[nodiscard]] Dim3 dim3_of(std::string_view text);

}  // namespace agpusim::ptx
