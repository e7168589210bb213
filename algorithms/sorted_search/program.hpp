#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/inputs.hpp"
#include "agpusim/algorithms/sorted_search/kernel.hpp"
#include "agpusim/model/cost/units.hpp"
#include "agpusim/model/run/host_program.hpp"
#include "agpusim/model/run/run.hpp"

namespace agpusim::sorted_search {

/// The sorted keys (number 0) or needles (1) of a run.
template <class Key>
std::vector<Key> operand(const RunConfig& config, std::uint64_t number) {
  std::vector<Key> keys = generate<Key>(config.input, config.n, config.seed + number);
  std::sort(keys.begin(), keys.end());
  return keys;
}

/// The host program of the algorithm `sorted_search`.
template <class Device, class Key>
class Program {
 public:
  Program(Device& device, const RunConfig& config)
      : device_(device),
        config_(config),
        keys_(device.template allocate<Key>(config.n, "keys")),
        needles_(device.template allocate<Key>(config.n, "needles")),
        out_(device.template allocate<std::int32_t>(config.n, "out")) {
    device_.template upload<Key>(keys_, [&] { return operand<Key>(config, 0); });
    device_.template upload<Key>(needles_, [&] { return operand<Key>(config, 1); });
  }

  void run() {
    const auto n = static_cast<std::int32_t>(config_.n);
    device_.launch(ceil_div(config_.n, config_.spec.width), SearchKeys{n, n}, keys_, needles_,
                   out_);
  }
  std::uint64_t checksum() { return agpusim::checksum<std::int32_t>(device_.download(out_)); }

 private:
  Device& device_;
  RunConfig config_;
  typename Device::template Array<Key> keys_;
  typename Device::template Array<Key> needles_;
  typename Device::template Array<std::int32_t> out_;
};

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return with_element_type(
      config.type, [&]<class T>(T) { return host_program<Program<Device, T>>(device, config); });
}

}  // namespace agpusim::sorted_search
