#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "agpusim/model/run/run.hpp"

namespace agpusim {

/// One run prepared on a CUDA device: memory allocated, input uploaded.
class CudaProgram {
 public:
  virtual ~CudaProgram() = default;
  virtual void reset() = 0;              ///< restores the input; not timed
  virtual void run() = 0;                ///< enqueues the launches on the device's stream
  virtual std::uint64_t checksum() = 0;  ///< checksum of the output, downloaded
};

/// A constant of the device by its name in device files.
using DeviceConstant = std::function<double(std::string_view name)>;

/// The CUDA halves of the algorithm table. Empty in a build without CUDA.
class CudaRegistry {
 public:
  using Factory = std::function<std::unique_ptr<CudaProgram>(const RunConfig&)>;
  void add(const std::string& algorithm, Factory factory);
  /// For programs that choose by constants of the device, before they are added.
  void set_constant(DeviceConstant constant) { constant_ = std::move(constant); }
  [[nodiscard]] const DeviceConstant& constant() const { return constant_; }
  /// Nothing when there is none of this name.
  [[nodiscard]] const Factory* find(const std::string& algorithm) const;

 private:
  DeviceConstant constant_;
  std::map<std::string, Factory> factories_;
};

/// Adds the CUDA half of every algorithm (generated; does nothing in a build without CUDA).
void register_all_cuda(CudaRegistry& registry);

}  // namespace agpusim
