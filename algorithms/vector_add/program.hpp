#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/algorithms/checksum.hpp"
#include "agpusim/algorithms/inputs.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/algorithms/vector_add/kernel.hpp"

namespace agpusim::vector_add {

/// The two summands of a run.
template <class T>
std::pair<std::vector<T>, std::vector<T>> operands(const RunConfig& config) {
  return {generate<T>(config.input, config.n, config.seed),
          generate<T>(config.input, config.n, config.seed + 1)};
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
    const auto [a, b] = operands<T>(config);
    device_.template upload<T>(a_, a);
    device_.template upload<T>(b_, b);
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

}  // namespace agpusim::vector_add
