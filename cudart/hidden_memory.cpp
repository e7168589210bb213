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

std::size_t round_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

constexpr int usable = PROT_READ | PROT_WRITE;

bool protect_all(const ptx::Ranges& ranges, int protection) {
  return std::all_of(ranges.begin(), ranges.end(), [&](const ptx::Range& range) {
    return mprotect(reinterpret_cast<void*>(range.begin), range.end - range.begin, protection) == 0;
  });
}

}  // namespace

std::shared_ptr<std::byte> Pages::take(std::size_t bytes) {
  if (bytes > PTRDIFF_MAX) throw std::bad_alloc();
  const std::size_t alignment = bytes < large_page ? host_page : large_page;
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

bool Pages::holds(const void* address) const {
  return mapped_.at(reinterpret_cast<std::uint64_t>(address)).end != 0;
}

/// Maps free memory that begins at a large page.
void Pages::map(std::size_t bytes) {
  void* const pages = mmap(nullptr, bytes + large_page, protection_,
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

std::byte* Pages::find_free(std::size_t bytes, std::size_t alignment) {
  for (const auto& [begin, end] : free_) {
    const std::uint64_t first = round_up(begin, alignment);
    if (first < end && end - first >= bytes) return reinterpret_cast<std::byte*>(first);
  }
  return nullptr;
}

void Pages::protect(int protection) {
  if (!protect_all(mapped_, protection)) throw std::bad_alloc();
  protection_ = protection;
}

HiddenMemory::HiddenMemory() : of_device(PROT_NONE), of_host(usable) {}

void HiddenMemory::hide(const ptx::Ranges& pages, bool only) {
  if (hidden_.empty() && pages.empty()) return;
  open();
  if (only) hidden_ = {};
  for (const ptx::Range& range : pages) hidden_.add(range);
  close();
}

void HiddenMemory::show(const ptx::Range& pages) {
  hidden_.remove(pages);
  mprotect(reinterpret_cast<void*>(pages.begin), pages.end - pages.begin, usable);
}

bool HiddenMemory::hides(const void* address) const {
  return hidden_.at(reinterpret_cast<std::uint64_t>(address)).end != 0;
}

void HiddenMemory::open() {
  if (opened_ == 0) {
    of_device.protect(usable);
    protect_all(hidden_, usable);
  }
  ++opened_;
}

void HiddenMemory::close() {
  if (--opened_ > 0) return;
  of_device.protect(PROT_NONE);
  protect_all(hidden_, PROT_NONE);
}

}  // namespace agpusim::cudart
