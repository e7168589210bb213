// What nvcc writes into a program: fat binaries, and the calls that register what is in them.
#pragma once

#include <cstring>
#include <lz4.h>
#include <string>
#include <sys/mman.h>
#include <vector>
#include <zstd.h>

#include "agpusim/tests/cudart/program/cuda.hpp"

namespace agpusim::test {

/// How the payload of a fat binary is kept, by its flags.
enum class Packing : std::uint64_t { none = 0, lz4 = 0x2000, zstd = 0x8000 };

inline std::string packed_by(Packing packing, const std::string& text) {
  std::string to(2 * text.size() + 64, '\0');
  const auto bytes = static_cast<int>(text.size());
  to.resize(packing == Packing::zstd
                ? ZSTD_compress(to.data(), to.size(), text.data(), text.size(), 3)
                : static_cast<std::size_t>(LZ4_compress_default(text.data(), to.data(), bytes,
                                                                static_cast<int>(to.size()))));
  return to;
}

/// A fat binary of one entry. `kind`: 1 for PTX, 2 for machine code. `packed`: the payload, of
/// `bytes` bytes once it is unpacked.
inline std::string fat_binary(const std::string& packed, Packing packing, std::uint64_t bytes,
                              std::uint16_t kind = 1) {
  std::string padded = packed;
  padded.resize((packed.size() + 8) / 8 * 8);
  std::string result;
  const auto put = [&](auto... values) {
    const auto one = [&](auto value) {
      result.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    (one(values), ...);
  };
  constexpr std::uint32_t entry_bytes = 64;
  put(std::uint32_t{0xba55ed50}, std::uint16_t{1}, std::uint16_t{16},
      std::uint64_t{entry_bytes + padded.size()});
  put(kind, std::uint16_t{0x101}, entry_bytes, std::uint64_t{padded.size()},
      static_cast<std::uint32_t>(packing == Packing::none ? 0 : packed.size()), std::uint32_t{0},
      std::uint16_t{0}, std::uint16_t{9}, std::uint32_t{90}, std::uint32_t{0}, std::uint32_t{0},
      static_cast<std::uint64_t>(packing) | 0x11, std::uint64_t{0},
      packing == Packing::none ? std::uint64_t{0} : bytes);
  return result + padded;
}

inline std::string fat_binary(const std::string& ptx) {
  return fat_binary(ptx, Packing::none, ptx.size());
}

/// A fat binary behind which no memory can be read; null where it is empty.
struct AtEndOfPage {
  const std::string& fat;
};

/// Device code that is registered as long as the process lives.
class Registered {
 public:
  explicit Registered(std::string fat) : fat_(std::move(fat)), wrapper_{.data = fat_.data()} {
    code = __cudaRegisterFatBinary(&wrapper_);
  }
  explicit Registered(const AtEndOfPage& last) {
    constexpr std::size_t bytes = std::size_t{1} << 20;
    auto* const memory = static_cast<char*>(
        mmap(nullptr, bytes + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(memory + bytes, 4096, PROT_NONE);
    last.fat.copy(memory + bytes - last.fat.size(), last.fat.size());
    wrapper_.data = last.fat.empty() ? nullptr : memory + bytes - last.fat.size();
    code = __cudaRegisterFatBinary(&wrapper_);
  }
  /// As with -rdc=true.
  explicit Registered(std::vector<std::string> units) : units_(std::move(units)) {
    for (const std::string& unit : units_) linked_.push_back(unit.data());
    linked_.push_back(nullptr);
    wrapper_ = {.version = 2, .linked = linked_.data()};
    code = __cudaRegisterFatBinary(&wrapper_);
  }
  Registered(const Registered&) = delete;
  Registered& operator=(const Registered&) = delete;

  /// `host`: an address that stands for the kernel.
  void kernel(const void* host, const char* name) const {
    __cudaRegisterFunction(code, host, nullptr, name, -1, nullptr, nullptr, nullptr, nullptr,
                           nullptr);
  }

  void** code = nullptr;

 private:
  struct Wrapper {
    std::uint32_t magic = 0x466243b1;
    int version = 1;
    const void* data = nullptr;
    const void* const* linked = nullptr;
  };
  std::string fat_;
  std::vector<std::string> units_;
  std::vector<const void*> linked_;
  Wrapper wrapper_;
};

}  // namespace agpusim::test
