#include "agpusim/model/pram/detail/memory.hpp"

#include <atomic>
#include <bit>
#include <utility>

#include <fmt/format.h>

namespace agpusim::detail {

const PramCells& PramMemory::add(std::int64_t size, std::string name) {
  const std::int64_t total = size_ + size;
  const std::int64_t words = (size_ + 63) / 64;
  cells_.grow(total);
  written_.grow((total + 63) / 64);
  std::fill(written_.data() + words, written_.data() + (total + 63) / 64, std::uint64_t{0});
  arrays_.push_back({machine_, nullptr, std::move(name), size_, size, size});
  size_ = total;
  undefined_ += size;
  return arrays_.back();
}

PramCells& PramMemory::find(std::int64_t cell) {
  const auto after = std::upper_bound(
      arrays_.begin(), arrays_.end(), cell,
      [](std::int64_t position, const PramCells& array) { return position < array.first; });
  return *std::prev(after);
}

const PramCells& PramMemory::owner(std::int64_t cell) const {
  return const_cast<PramMemory*>(this)->find(cell);
}

std::string PramMemory::cell_name(std::int64_t cell) const {
  const PramCells& array = owner(cell);
  return fmt::format("{}[{}]", array.name, cell - array.first);
}

void PramMemory::Definer::define(std::int64_t first, std::int64_t size) {
  const std::int64_t end = first + size;
  while (first < end) {
    if (first < first_ || first >= end_) enter(first);
    const std::int64_t stop = std::min({end, end_, (first | 63) + 1});
    const std::uint64_t bits = ~std::uint64_t{0} >> (64 - (stop - first)) << (first & 63);
    std::uint64_t& word = memory_.written_.data()[first >> 6];
    defined_ += std::popcount(bits & ~word);
    word |= bits;
    first = stop;
  }
}

void PramMemory::Definer::enter(std::int64_t cell) {
  flush();
  array_ = &memory_.find(cell);
  first_ = array_->first;
  end_ = first_ + array_->size;
}

void PramMemory::Definer::flush() {
  if (defined_ == 0) return;
  if (std::atomic_ref(array_->undefined).fetch_sub(defined_, std::memory_order_relaxed) ==
      defined_) {
    array_->reader = array_->machine;
  }
  std::atomic_ref(memory_.undefined_).fetch_sub(defined_, std::memory_order_relaxed);
  defined_ = 0;
}

}  // namespace agpusim::detail
