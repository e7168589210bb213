#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "agpusim/model/registers.hpp"

namespace agpusim {

namespace detail {

/// The type of the same size and signedness for which CUDA has atomic functions.
template <class T>
using atomic_t =
    std::conditional_t<std::is_integral_v<T> && sizeof(T) == 8,
                       std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>, T>;

/// Integer sums wrap, so that signed words add as unsigned ones.
template <class T>
__device__ void device_atomic_add(T* cell, T value) {
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    atomicAdd(reinterpret_cast<unsigned long long*>(cell), static_cast<unsigned long long>(value));
  } else {
    atomicAdd(cell, value);
  }
}

template <class T>
__device__ void device_atomic_max(T* cell, T value) {
  using U = atomic_t<T>;
  atomicMax(reinterpret_cast<U*>(cell), static_cast<U>(value));
}
template <class T>
__device__ void device_atomic_min(T* cell, T value) {
  using U = atomic_t<T>;
  atomicMin(reinterpret_cast<U*>(cell), static_cast<U>(value));
}

/// The words of a wide access.
template <std::size_t bytes>
using wide_words = std::conditional_t<bytes == 8, uint2, uint4>;

/// `count` neighbours as one load of 8 or 16 bytes.
template <std::int32_t count, class T>
__device__ Registers<T, count> load_wide(const T* from) {
  using Words = wide_words<count * sizeof(T)>;
  Registers<T, count> result;
  const Words words = *reinterpret_cast<const Words*>(from);
  memcpy(&result, &words, sizeof words);
  return result;
}
template <std::int32_t count, class T>
__device__ void store_wide(T* to, const Registers<T, count>& value) {
  using Words = wide_words<count * sizeof(T)>;
  Words words;
  memcpy(&words, &value, sizeof words);
  *reinterpret_cast<Words*>(to) = words;
}

}  // namespace detail

/// A view of shared memory inside a kernel: `T tile[size]`. Every read is one load, every write one
/// store.
template <class T>
class CudaSharedView {
 public:
  using value_type = T;
  __device__ CudaSharedView(T* data, std::int32_t size) : data_(data), size_(size) {}

  [[nodiscard]] __device__ T read(std::int32_t index) const { return data_[index]; }
  __device__ void write(std::int32_t index, T value) const { data_[index] = value; }
  /// Elements index .. index + count - 1 as one access; it begins at a multiple of `count`.
  template <std::int32_t count>
  requires WideAccess<T, count>
  [[nodiscard]] __device__ Registers<T, count> read_wide(std::int32_t index) const {
    return detail::load_wide<count>(data_ + index);
  }
  template <std::int32_t count>
  requires WideAccess<T, count> __device__ void write_wide(std::int32_t index,
                                                           const Registers<T, count>& value) const {
    detail::store_wide(data_ + index, value);
  }
  __device__ void atomic_add(std::int32_t index, T value) const {
    detail::device_atomic_add(data_ + index, value);
  }
  __device__ void atomic_max(std::int32_t index, T value) const {
    detail::device_atomic_max(data_ + index, value);
  }
  __device__ void atomic_min(std::int32_t index, T value) const {
    detail::device_atomic_min(data_ + index, value);
  }
  /// Adds and returns what was there before.
  [[nodiscard]] __device__ T fetch_add(std::int32_t index, T value) const {
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
      return static_cast<T>(atomicAdd(reinterpret_cast<unsigned long long*>(data_ + index),
                                      static_cast<unsigned long long>(value)));
    } else {
      return atomicAdd(data_ + index, value);
    }
  }
  [[nodiscard]] __device__ std::int32_t size() const { return size_; }

 private:
  T* data_;
  std::int32_t size_;
};

/// A view of global memory inside a kernel. Lane indices are 32-bit and relative to a 64-bit
/// origin, so that arrays may be larger than 2^31 elements. Every read is one load, every write one
/// store.
template <class T>
class CudaGlobalView {
 public:
  using value_type = T;
  explicit __device__ CudaGlobalView(T* origin) : origin_(origin) {}

  /// A view of the array seen from element `offset` on.
  [[nodiscard]] __device__ CudaGlobalView from(std::int64_t offset) const {
    return CudaGlobalView(origin_ + offset);
  }
  [[nodiscard]] __device__ T read(std::int32_t index) const { return origin_[index]; }
  __device__ void write(std::int32_t index, T value) const { origin_[index] = value; }
  /// Elements index .. index + count - 1 as one access; it begins at a multiple of `count`.
  template <std::int32_t count>
  requires WideAccess<T, count>
  [[nodiscard]] __device__ Registers<T, count> read_wide(std::int32_t index) const {
    return detail::load_wide<count>(origin_ + index);
  }
  template <std::int32_t count>
  requires WideAccess<T, count> __device__ void write_wide(std::int32_t index,
                                                           const Registers<T, count>& value) const {
    detail::store_wide(origin_ + index, value);
  }
  __device__ void atomic_add(std::int32_t index, T value) const {
    detail::device_atomic_add(origin_ + index, value);
  }
  __device__ void atomic_max(std::int32_t index, T value) const {
    detail::device_atomic_max(origin_ + index, value);
  }
  __device__ void atomic_min(std::int32_t index, T value) const {
    detail::device_atomic_min(origin_ + index, value);
  }

 private:
  T* origin_;
};

}  // namespace agpusim
