#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace agpusim {

/// Memory that reads as 0 until it is written; the host gives its pages, large ones where it has
/// them, as they are touched.
class ZeroedMemory {
 public:
  ZeroedMemory() = default;
  /// Throws std::bad_alloc.
  explicit ZeroedMemory(std::int64_t bytes);
  /// Aligned for every type; null where no memory was asked for.
  [[nodiscard]] std::byte* data() const { return data_.get(); }
  template <class T>
  [[nodiscard]] T* as() const {
    return reinterpret_cast<T*>(data_.get());
  }

 private:
  struct Free {
    std::size_t mapped;  // bytes; 0: of the heap
    void operator()(std::byte* pointer) const;
  };
  std::unique_ptr<std::byte, Free> data_;
};

}  // namespace agpusim
