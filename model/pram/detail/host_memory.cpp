#include "agpusim/model/pram/detail/host_memory.hpp"

#include <fstream>
#include <limits>
#include <string>

namespace agpusim::detail {

std::int64_t available_memory_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string key;
  std::int64_t kibibytes = 0;
  std::string unit;
  while (file >> key >> kibibytes) {
    if (key == "MemAvailable:") return kibibytes * 1024;
    std::getline(file, unit);
  }
  return std::numeric_limits<std::int64_t>::max();
}

}  // namespace agpusim::detail
