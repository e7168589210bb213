#include "agpusim/model/host_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

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

/// All that a control group and those above it may take, of version 2 or 1 of their interface.
std::int64_t of_control_group(std::string group, const std::string& root, const char* file_name) {
  std::int64_t least = unlimited;
  for (;;) {
    std::ifstream file(root + group + '/' + file_name);
    std::int64_t bytes = 0;  // "max" is no number
    if (file >> bytes) least = std::min(least, bytes);
    if (group.empty()) return least;
    group.erase(group.rfind('/'));
  }
}

/// All that the control groups of this process may take: of a container, or of a job.
std::int64_t of_control_groups(const std::string& root) {
  const std::string folder = root + "/sys/fs/cgroup";
  std::int64_t least = of_control_group("", folder, "memory.max");
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // "4:memory:/job", "0::/job"
    const std::size_t kinds = line.find(':') + 1;
    const std::size_t path = line.find(':', kinds) + 1;
    if (kinds == 0 || path == 0 || line[path] != '/') continue;
    const std::string group = line.size() == path + 1 ? "" : line.substr(path);
    const bool is_memory =
        (',' + line.substr(kinds, path - 1 - kinds) + ',').find(",memory,") != std::string::npos;
    if (is_memory) {
      least = std::min(least, of_control_group(group, folder + "/memory", "memory.limit_in_bytes"));
    } else if (path == kinds + 1) {
      least = std::min(least, of_control_group(group, folder, "memory.max"));
    }
  }
  return least;
}

/// Processes of the job on this node, which share its memory.
std::int64_t ranks_of_node() {
  for (const char* const name :
       {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_STEP_TASKS_PER_NODE"}) {
    const char* const text = std::getenv(name);
    const std::int64_t ranks = text == nullptr ? 0 : std::atoll(text);
    if (ranks > 0) return ranks;
  }
  return 1;
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

std::int64_t memory_of_job_bytes(const std::string& root) {
  return of_control_groups(root) / ranks_of_node();
}

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
