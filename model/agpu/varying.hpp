#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include "agpusim/model/agpu/lane_context.hpp"

namespace agpusim {

/// A lane value is an integer, a floating-point number or a truth value of at most 8 bytes.
template <class T>
concept LaneScalar = std::is_arithmetic_v<T> && sizeof(T) <= 8;

/// One value per lane. Declaring one is free; every operator is one issued instruction; assignment
/// is free (the instruction that produced the value is the predicated one) and changes active lanes
/// only.
template <LaneScalar T>
class Varying {
 public:
  using value_type = T;
  using Storage = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

  /// Undefined lanes; for results that are filled at once.
  explicit Varying(LaneContext& context)
      : context_(&context), buffer_(context.pool().take(registers)), id_(context.next_value()) {
    if (context.lone() != nullptr) arrives() = {};
  }
  Varying(const Varying& other) : Varying(*other.context_) {
    read_ = other.read_;
    std::memcpy(buffer_, other.buffer_, bytes());
    if (context_->lone() != nullptr) arrives() = other.arrives();
  }
  Varying(Varying&& other) noexcept
      : context_(other.context_),
        buffer_(std::exchange(other.buffer_, nullptr)),
        id_(other.id_),
        read_(other.read_) {}
  Varying& operator=(const Varying& other) {
    if (this != &other) assign(other);
    return *this;
  }
  Varying& operator=(Varying&& other) noexcept {
    if (context_->full()) {
      std::swap(buffer_, other.buffer_);
      std::swap(id_, other.id_);
      std::swap(read_, other.read_);
    } else {
      assign(other);
    }
    return *this;
  }
  ~Varying() {
    if (buffer_ != nullptr) context_->pool().give(buffer_, registers);
  }

  [[nodiscard]] LaneContext& context() const { return *context_; }
  /// When the value arrives; kept where the machine counts execution (LaneContext::lone).
  [[nodiscard]] Arrival& arrives() {
    return *reinterpret_cast<Arrival*>(buffer_ + context_->pool().lane_bytes());
  }
  [[nodiscard]] const Arrival& arrives() const {
    return *reinterpret_cast<const Arrival*>(buffer_ + context_->pool().lane_bytes());
  }
  /// Tells the machine that an instruction needs this value now.
  void use() const { context_->use(read_); }
  /// Marks the value as the result of global read number `read`.
  void arrives_with(std::uint64_t read) { read_ = read; }
  /// Number of this value; it changes with the lanes.
  [[nodiscard]] std::uint64_t id() const { return id_; }
  [[nodiscard]] Storage* data() {
    return std::assume_aligned<64>(reinterpret_cast<Storage*>(buffer_));
  }
  [[nodiscard]] const Storage* data() const {
    return std::assume_aligned<64>(reinterpret_cast<const Storage*>(buffer_));
  }

 private:
  /// 32-bit registers of a lane; truth values have registers of their own.
  static constexpr int registers = std::is_same_v<T, bool> ? 0 : sizeof(T) > 4 ? 2 : 1;

  [[nodiscard]] std::size_t bytes() const {
    return static_cast<std::size_t>(context_->padded()) * sizeof(Storage);
  }
  void assign(const Varying& other) noexcept {
    id_ = context_->next_value();
    const bool replaces = context_->full();  // no lane waits for what was here
    read_ = replaces ? other.read_ : std::max(read_, other.read_);
    if (context_->lone() != nullptr) {
      Arrival& mine = arrives();
      const Arrival& its = other.arrives();
      if (replaces) mine = {};
      for (std::size_t i = 0; i < mine.at.size(); ++i) mine.at[i] = std::max(mine.at[i], its.at[i]);
      mine.read = std::max(mine.read, its.read);
    }
    const std::uint8_t* const mask = context_->mask().bytes;
    Storage* const to = data();
    const Storage* const from = other.data();
    for (std::int32_t i = 0, n = context_->padded(); i < n; ++i)
      to[i] = mask[i] != 0 ? from[i] : to[i];
  }

  LaneContext* context_;
  std::byte* buffer_;
  std::uint64_t id_;
  std::uint64_t read_ = 0;  // the global read it comes from, 0 for none
};

}  // namespace agpusim
