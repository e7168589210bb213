#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <new>
#include <string>
#include <type_traits>

#include "agpusim/model/host_memory.hpp"
#include "agpusim/model/pram/step_log.hpp"

namespace agpusim::detail {

/// Room for a growing number of values, at first undefined. It grows with realloc: on Linux a large
/// block moves without a copy, and pages that nobody has touched take no memory.
template <class T>
class GrowingBlock {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  [[nodiscard]] T* data() const { return data_.get(); }
  void grow(std::int64_t size) {
    if (size <= capacity_) return;
    const std::int64_t capacity = std::max(size, capacity_ + capacity_ / 2);
    void* const grown = std::realloc(data_.get(), static_cast<std::size_t>(capacity) * sizeof(T));
    if (grown == nullptr) throw std::bad_alloc();
    (void)data_.release();
    data_.reset(static_cast<T*>(grown));
    capacity_ = capacity;
    constexpr std::int64_t large = 1 << 22;
    const std::int64_t bytes = capacity * static_cast<std::int64_t>(sizeof(T));
    if (bytes >= large) prefer_large_pages(grown, bytes);
  }

 private:
  struct Free {
    void operator()(T* pointer) const { std::free(pointer); }
  };
  std::unique_ptr<T, Free> data_;
  std::int64_t capacity_ = 0;
};

/// The cells of a PRAM, numbered through its arrays, and who of them was written.
class PramMemory {
 public:
  /// `machine` marks the arrays as its own.
  explicit PramMemory(const void* machine) : machine_(machine) {}

  /// Cells that nobody has written.
  const PramCells& add(std::int64_t size, std::string name);

  [[nodiscard]] std::int64_t* cells() { return cells_.data(); }
  [[nodiscard]] const std::int64_t* cells() const { return cells_.data(); }
  [[nodiscard]] const std::uint64_t* written() const { return written_.data(); }
  [[nodiscard]] std::int64_t size() const { return size_; }
  /// The array that holds `cell`.
  [[nodiscard]] const PramCells& owner(std::int64_t cell) const;
  /// "x[7]".
  [[nodiscard]] std::string cell_name(std::int64_t cell) const;
  /// Cells with a content: the input, and what was written.
  [[nodiscard]] std::int64_t defined() const { return size_ - undefined_; }
  /// Whether some cell of the memory was never written.
  [[nodiscard]] bool has_undefined() const { return undefined_ != 0; }

  /// Marks cells as written. Several threads may do so at once, each with its own Definer, when no
  /// two of them touch the same aligned group of 64 cells.
  class Definer {
   public:
    explicit Definer(PramMemory& memory) : memory_(memory) {}
    ~Definer() { flush(); }
    Definer(const Definer&) = delete;
    Definer& operator=(const Definer&) = delete;

    void define(std::int64_t cell) {
      std::uint64_t& word = memory_.written_.data()[cell >> 6];
      const std::uint64_t bit = std::uint64_t{1} << (cell & 63);
      if ((word & bit) != 0) return;
      word |= bit;
      if (cell < first_ || cell >= end_) enter(cell);
      ++defined_;
    }
    /// Whether `cell` and the 63 after it are written; `cell` is a multiple of 64.
    [[nodiscard]] bool all_defined(std::int64_t cell) const {
      return memory_.written_.data()[cell >> 6] == ~std::uint64_t{0};
    }
    /// The `size` cells from `first` on.
    void define(std::int64_t first, std::int64_t size);

   private:
    void enter(std::int64_t cell);
    void flush();

    PramMemory& memory_;
    PramCells* array_ = nullptr;  // the one in hand: its cells and how many became defined
    std::int64_t first_ = 0;
    std::int64_t end_ = 0;
    std::int64_t defined_ = 0;
  };

 private:
  [[nodiscard]] PramCells& find(std::int64_t cell);

  const void* machine_;
  std::deque<PramCells> arrays_;  // handles point at its elements
  GrowingBlock<std::int64_t> cells_;
  GrowingBlock<std::uint64_t> written_;
  std::int64_t size_ = 0;
  std::int64_t undefined_ = 0;
};

}  // namespace agpusim::detail
