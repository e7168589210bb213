#pragma once

#include "agpusim/algorithms/statistics/policies.hpp"
#include "agpusim/algorithms/statistics/program.hpp"

namespace agpusim::minmax {

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return statistics::without_moments(config, [&]<class T, class Moments, bool serial>() {
    return host_program<statistics::Program<Device, T, Moments, serial>>(device, config);
  });
}

}  // namespace agpusim::minmax
