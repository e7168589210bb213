#include "agpusim/model/transfer/device_budget.hpp"

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim::out_of_core {

void DeviceBudget::take(std::int64_t bytes, const std::string& name) {
  if (bytes > bytes_ - used_) {
    throw UsageError(
        fmt::format("array '{}' needs {} bytes of device memory, but of the budget of {} bytes {} "
                    "are left; use a larger budget, smaller chunks or fewer streams",
                    name, bytes, bytes_, bytes_ - used_));
  }
  used_ += bytes;
}

}  // namespace agpusim::out_of_core
