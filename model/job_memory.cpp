#include "agpusim/model/job_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>

namespace agpusim {
namespace {

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

/// All that a control group and those above it may take, of version 2 or 1 of their interface.
std::int64_t of_control_group(std::string group, const std::string& root, const char* file_name) {
  std::int64_t least = no_limit;
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
       {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS_PER_NODE"}) {
    const char* const text = std::getenv(name);
    const std::int64_t ranks = text == nullptr ? 0 : std::atoll(text);
    if (ranks > 0) return ranks;
  }
  return 1;
}

}  // namespace

std::int64_t memory_of_job_bytes(const std::string& root) {
  return of_control_groups(root) / ranks_of_node();
}

}  // namespace agpusim
