#include "agpusim/model/agpu/zeroed_memory.hpp"

#include <cstdlib>
#include <limits>
#include <new>
#include <string>
#include <sys/mman.h>
#include <utility>

#include <fmt/format.h>

#include "agpusim/model/host_memory.hpp"

namespace agpusim {
namespace {

constexpr std::size_t large_page = std::size_t{1} << 21;
#ifdef __EMSCRIPTEN__
constexpr std::size_t most_of_heap = std::numeric_limits<std::size_t>::max();  // there are no pages
#else
constexpr std::size_t most_of_heap = large_page / 4;
#endif

/// Says how much is not there.
struct NoMemory : std::bad_alloc {
  explicit NoMemory(std::int64_t bytes)
      : text(fmt::format("the host has no memory for {} bytes", bytes)) {}
  [[nodiscard]] const char* what() const noexcept override { return text.c_str(); }
  std::string text;
};

/// Pages of zeros that begin at a large page.
std::byte* map_pages(std::size_t bytes) {
  const std::size_t mapped = bytes + large_page;
  void* const pages = mmap(nullptr, mapped, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) throw NoMemory(static_cast<std::int64_t>(bytes));
  auto* const first = static_cast<std::byte*>(pages);
  const std::size_t skipped = -reinterpret_cast<std::uintptr_t>(first) % large_page;
  if (skipped > 0) munmap(first, skipped);
  munmap(first + skipped + bytes, large_page - skipped);
  prefer_large_pages(first + skipped, static_cast<std::int64_t>(bytes));
  return first + skipped;
}

}  // namespace

ZeroedMemory::ZeroedMemory(std::int64_t bytes) {
  if (!std::in_range<std::size_t>(bytes + 1)) throw NoMemory(bytes);
  const auto wanted = static_cast<std::size_t>(bytes) + 1;
  if (wanted > most_of_heap) {
    const std::size_t mapped = (wanted + large_page - 1) / large_page * large_page;
    data_ = {map_pages(mapped), Free{mapped}};
    return;
  }
  data_ = {static_cast<std::byte*>(std::calloc(wanted, 1)), Free{0}};
  if (data_ == nullptr) throw NoMemory(bytes);
}

void ZeroedMemory::Free::operator()(std::byte* pointer) const {
  if (mapped > 0) {
    munmap(pointer, mapped);
  } else {
    std::free(pointer);
  }
}

}  // namespace agpusim
