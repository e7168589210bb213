#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/inputs.hpp"
#include "agpusim/algorithms/vector_add/kernel.hpp"
#include "agpusim/model/run/host_program.hpp"
#include "agpusim/model/run/run.hpp"

namespace agpusim::vector_add {

/// One of the two summands of a run.
template <class T>
std::vector<T> operand(const RunConfig& config, std::uint64_t number) {
  return generate<T>(config.input, config.n, config.seed + number);
}

/// The host program, for any device that can allocate, copy and launch.
template <class Device, class T>
class Program {
 public:
  Program(Device& device, const RunConfig& config)
      : device_(device),
        kernel_{config.n,
                static_cast<std::int32_t>(config.parameters.at("rows") * config.spec.width)},
        a_(device.template allocate<T>(config.n, "a")),
        b_(device.template allocate<T>(config.n, "b")),
        c_(device.template allocate<T>(config.n, "c")) {
    device_.template upload<T>(a_, [&] { return operand<T>(config, 0); });
    device_.template upload<T>(b_, [&] { return operand<T>(config, 1); });
  }

  void run() {
    device_.launch((kernel_.n + kernel_.per_task - 1) / kernel_.per_task, kernel_, a_, b_, c_);
  }
  std::uint64_t checksum() { return agpusim::checksum<T>(device_.download(c_)); }

 private:
  Device& device_;
  Add kernel_;
  typename Device::template Array<T> a_;
  typename Device::template Array<T> b_;
  typename Device::template Array<T> c_;
};

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return with_element_type(
      config.type, [&]<class T>(T) { return host_program<Program<Device, T>>(device, config); });
}

}  // namespace agpusim::vector_add
