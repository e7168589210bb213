#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/inputs.hpp"
#include "agpusim/algorithms/common/permutation.hpp"
#include "agpusim/algorithms/common/segment_parameters.hpp"
#include "agpusim/algorithms/integer_sorts/scatter/kernel.hpp"
#include "agpusim/model/run/host_program.hpp"

namespace agpusim::scatter {

/// The places of n elements: "random" (a random permutation), "identity" or "reversed".
inline std::vector<std::int32_t> places(const RunConfig& config) {
  const Permutation permutation(static_cast<std::uint64_t>(config.n), config.seed);
  std::vector<std::int32_t> result(static_cast<std::size_t>(config.n));
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::uint64_t place = config.input == "random"     ? permutation(i)
                                : config.input == "reversed" ? result.size() - 1 - i
                                                             : i;
    result[i] = static_cast<std::int32_t>(place);
  }
  return result;
}

/// The host program of the algorithm `scatter`.
template <class Device, class T>
class Program {
 public:
  Program(Device& device, const RunConfig& config)
      : device_(device),
        cut_(config.n, segmentation(config)),
        index_(device.template allocate<std::int32_t>(config.n, "index")),
        in_(device.template allocate<T>(config.n, "in")),
        out_(device.template allocate<T>(config.n, "out")) {
    device_.template upload<std::int32_t>(index_, [&] { return places(config); });
    device_.template upload<T>(in_, [&] { return generate<T>("uniform", config.n, config.seed); });
  }

  void run() {
    if (cut_.host().n > 0) device_.launch(cut_.host().tasks, Scatter{cut_}, index_, in_, out_);
  }
  std::uint64_t checksum() { return agpusim::checksum<T>(device_.download(out_)); }

 private:
  Device& device_;
  Cut cut_;
  typename Device::template Array<std::int32_t> index_;
  typename Device::template Array<T> in_;
  typename Device::template Array<T> out_;
};

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return with_element_type(
      config.type, [&]<class T>(T) { return host_program<Program<Device, T>>(device, config); });
}

}  // namespace agpusim::scatter
