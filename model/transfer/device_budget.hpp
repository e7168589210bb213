#pragma once

#include <cstdint>
#include <string>

namespace agpusim::out_of_core {

/// The device memory that a primitive may use.
class DeviceBudget {
 public:
  explicit DeviceBudget(std::int64_t bytes) : bytes_(bytes) {}

  /// Takes `bytes` for array `name`. Throws UsageError that names both and what is left when there
  /// is too little.
  void take(std::int64_t bytes, const std::string& name);

  [[nodiscard]] std::int64_t bytes() const { return bytes_; }
  [[nodiscard]] std::int64_t used() const { return used_; }

 private:
  std::int64_t bytes_;
  std::int64_t used_ = 0;
};

}  // namespace agpusim::out_of_core
