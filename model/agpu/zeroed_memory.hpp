#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace agpusim {

/// Memory that reads as 0 until it is written; the host gives its pages as they are touched.
class ZeroedMemory {
 public:
  ZeroedMemory() = default;
  /// Throws std::bad_alloc.
  explicit ZeroedMemory(std::int64_t bytes)
      : data_(static_cast<std::byte*>(std::calloc(static_cast<std::size_t>(bytes) + 1, 1))) {
    if (data_ == nullptr) throw std::bad_alloc();
  }
  /// Aligned for every type; null where no memory was asked for.
  [[nodiscard]] std::byte* data() const { return data_.get(); }
  template <class T>
  [[nodiscard]] T* as() const {
    return reinterpret_cast<T*>(data_.get());
  }

 private:
  struct Free {
    void operator()(std::byte* pointer) const { std::free(pointer); }
  };
  std::unique_ptr<std::byte, Free> data_;
};

}  // namespace agpusim
