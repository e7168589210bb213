#pragma once

#include <cstdint>
#include <stdexcept>
#include <type_traits>

namespace agpusim::out_of_core {

/// A piece of an array in host memory: an address and a length, or, where a program is only
/// planned, a length.
template <class T>
class HostPiece {
  static_assert(std::is_trivially_copyable_v<T>,
                "out-of-core primitives copy elements byte by byte: their types must be trivially "
                "copyable");

 public:
  HostPiece() = default;
  HostPiece(T* data, std::int64_t size) : data_(data), size_(size) {}
  /// A piece of an array that is not there.
  explicit HostPiece(std::int64_t size) : size_(size) {}

  /// A piece to read from.
  template <class U>
  requires std::is_same_v<T, const U> HostPiece(
      const HostPiece<U>& other)  // NOLINT(google-explicit-constructor): as U* to const U*
      : data_(other.data()), size_(other.size()) {}

  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] std::int64_t bytes() const { return size_ * std::int64_t{sizeof(T)}; }
  [[nodiscard]] bool is_there() const { return data_ != nullptr; }

  /// Elements first..first+count-1. Throws std::out_of_range when they are not all inside.
  [[nodiscard]] HostPiece piece(std::int64_t first, std::int64_t count) const {
    if (first < 0 || count < 0 || first > size_ - count) throw std::out_of_range("HostPiece");
    return data_ == nullptr ? HostPiece(count) : HostPiece(data_ + first, count);
  }

 private:
  T* data_ = nullptr;
  std::int64_t size_ = 0;
};

}  // namespace agpusim::out_of_core
