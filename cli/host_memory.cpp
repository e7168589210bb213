#include "agpusim/cli/host_memory.hpp"

#include <cstdlib>

#include <fmt/format.h>

#include "agpusim/cli/sizes.hpp"
#include "agpusim/model/error.hpp"
#include "agpusim/model/host_memory.hpp"

namespace agpusim {
namespace {

constexpr double bytes_per_gib = 1024.0 * 1024.0 * 1024.0;
constexpr double copies = 3;  // input, device memory, reference result

/// Bytes of one element, from the number of bits at the end of a type's name (u32, f64).
double element_bytes(const std::string& type) {
  const std::size_t digits = type.find_first_of("0123456789");
  return digits == std::string::npos ? 4 : std::atof(type.c_str() + digits) / 8;
}

}  // namespace

void require_host_memory(const RunConfig& config) {
  const double needed = copies * static_cast<double>(config.n) * element_bytes(config.type);
  const auto available = static_cast<double>(available_memory_bytes());
  if (needed <= available) return;
  throw UsageError(fmt::format(
      "n = {} of {} needs at least {:.1f} GiB of memory and this machine has {:.1f} "
      "GiB left: choose a smaller --n",
      size_text(config.n), config.type, needed / bytes_per_gib, available / bytes_per_gib));
}

}  // namespace agpusim
