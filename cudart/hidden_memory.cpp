#include "agpusim/cudart/hidden_memory.hpp"

#include <algorithm>
#include <new>
#include <sys/mman.h>

#include "agpusim/model/host_memory.hpp"

namespace agpusim::cudart {
namespace {

// Neighbours lie in one mapping: opening it costs the system 2 us, and as much for 64 large pages.
constexpr std::size_t least_mapped = std::size_t{32} << 20;
constexpr std::size_t large_page = std::size_t{1} << 21;
constexpr std::size_t page = 4096;

std::size_t round_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

void protect(const ptx::Ranges& ranges, int protection) {
  for (const auto& [begin, end] : ranges) {
    if (mprotect(reinterpret_cast<void*>(begin), end - begin, protection) != 0) {
      throw std::bad_alloc();
    }
  }
}

}  // namespace

std::shared_ptr<std::byte> HiddenMemory::take(std::size_t bytes) {
  if (bytes > PTRDIFF_MAX) throw std::bad_alloc();
  const std::size_t alignment = bytes < large_page ? page : large_page;
  const std::size_t taken = round_up(bytes, alignment);
  std::byte* begin = find_free(taken, alignment);
  if (begin == nullptr) {
    map(round_up(std::max(taken, least_mapped), large_page));
    begin = find_free(taken, alignment);
  }
  const auto at = reinterpret_cast<std::uint64_t>(begin);
  free_.remove({at, at + taken});
  return {begin, [this, taken](std::byte* pointer) {
            madvise(pointer, taken, MADV_DONTNEED);
            const auto first = reinterpret_cast<std::uint64_t>(pointer);
            free_.add({first, first + taken});
          }};
}

bool HiddenMemory::holds(const void* address) const {
  const auto at = reinterpret_cast<std::uint64_t>(address);
  return mapped_.common({at, at + 1}).end != 0;
}

/// Maps free memory that begins at a large page.
void HiddenMemory::map(std::size_t bytes) {
  const int protection = opened_ > 0 ? PROT_READ | PROT_WRITE : PROT_NONE;
  void* const pages = mmap(nullptr, bytes + large_page, protection,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  auto* const first = static_cast<std::byte*>(pages);
  const std::size_t skipped = -reinterpret_cast<std::uintptr_t>(first) % large_page;
  if (skipped > 0) munmap(first, skipped);
  munmap(first + skipped + bytes, large_page - skipped);
  prefer_large_pages(first + skipped, static_cast<std::int64_t>(bytes));
  const auto begin = reinterpret_cast<std::uint64_t>(first + skipped);
  mapped_.add({begin, begin + bytes});
  free_.add({begin, begin + bytes});
}

std::byte* HiddenMemory::find_free(std::size_t bytes, std::size_t alignment) {
  for (const auto& [begin, end] : free_) {
    const std::uint64_t first = round_up(begin, alignment);
    if (first < end && end - first >= bytes) return reinterpret_cast<std::byte*>(first);
  }
  return nullptr;
}

void HiddenMemory::open() {
  if (opened_ == 0) protect(mapped_, PROT_READ | PROT_WRITE);
  ++opened_;
}

void HiddenMemory::close() {
  if (--opened_ == 0) protect(mapped_, PROT_NONE);
}

}  // namespace agpusim::cudart
