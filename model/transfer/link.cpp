#include "agpusim/model/transfer/link.hpp"

#include <cmath>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim::transfer {
namespace {

void validate(const Direction& direction, const char* name) {
  if (!std::isfinite(direction.bytes_per_second) || direction.bytes_per_second <= 0) {
    throw UsageError(fmt::format("link: {} has a bandwidth of {} bytes/s: it must be positive",
                                 name, direction.bytes_per_second));
  }
  if (!std::isfinite(direction.latency) || direction.latency < 0) {
    throw UsageError(fmt::format("link: {} has a latency of {} s: it must not be negative", name,
                                 direction.latency));
  }
}

void validate_limit(double bytes_per_second, const char* name) {
  if (!std::isfinite(bytes_per_second) || bytes_per_second < 0) {
    throw UsageError(fmt::format("link: {} = {} bytes/s: it must be positive, or 0 for no limit",
                                 name, bytes_per_second));
  }
}

}  // namespace

void validate(const LinkSpec& link) {
  validate(link.in, "host to device");
  validate(link.out, "device to host");
  validate_limit(link.both, "both directions together");
  validate_limit(link.host, "host memory");
  if (link.copy_engines != 1 && link.copy_engines != 2) {
    throw UsageError(fmt::format("link: {} copy engines: 1 or 2", link.copy_engines));
  }
}

}  // namespace agpusim::transfer
