#include "agpusim/model/host_memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "agpusim/model/job_memory.hpp"

namespace agpusim {
namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

/// What the system has left.
std::int64_t of_system() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  std::int64_t kibibytes = 0;
  std::string unit;
  while (file >> key >> kibibytes) {
    if (key == "MemAvailable:") return kibibytes * 1024;
    std::getline(file, unit);
  }
  return unlimited;
}

/// All that a pointer can name.
constexpr std::int64_t of_pointers = static_cast<std::int64_t>(
    std::min<std::uint64_t>(unlimited, std::numeric_limits<std::size_t>::max()));

/// What the limit of the address space leaves.
std::int64_t of_address_space() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return of_pointers;
  std::ifstream file("/proc/self/statm");
  std::int64_t pages = 0;
  file >> pages;
  return static_cast<std::int64_t>(limit.rlim_cur) - pages * sysconf(_SC_PAGESIZE);
}

}  // namespace

std::int64_t available_memory_bytes() {
  return std::max<std::int64_t>(0,
                                std::min({of_system(), memory_of_job_bytes(), of_address_space()}));
}

namespace {

/// A wish about the whole pages of some memory: whatever comes of it, the memory works.
[[maybe_unused]] void advise(void* begin, std::int64_t bytes, int advice) {
  constexpr std::uintptr_t page = 4096;
  const auto first = (reinterpret_cast<std::uintptr_t>(begin) + page - 1) / page * page;
  const auto end =
      (reinterpret_cast<std::uintptr_t>(begin) + static_cast<std::uintptr_t>(bytes)) / page * page;
  if (first < end) madvise(reinterpret_cast<void*>(first), end - first, advice);
}

}  // namespace

void prefer_large_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::int64_t bytes) {
#ifdef MADV_HUGEPAGE
  advise(begin, bytes, MADV_HUGEPAGE);
#endif
}

void take_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::int64_t bytes) {
#ifdef MADV_POPULATE_WRITE  // Linux 5.14
  advise(begin, bytes, MADV_POPULATE_WRITE);
#endif
}

}  // namespace agpusim
