#pragma once

#include <string>
#include <vector>

namespace agpusim::out_of_core {

/// A measured constant of a device file (machine.hpp says what they mean).
struct LinkConstant {
  std::string name;
  double value = 0;
  std::string unit;
  std::string method;
};

/// Measures what pipelines ask of the device file, apart from the primitives: the link between host
/// and device, the library's steps, the scatter and the host. Takes some seconds, 4 GiB of device
/// and 2 GiB of host memory. Throws CudaError and, when host memory is short, Unavailable.
[[nodiscard]] std::vector<LinkConstant> measure_link();

}  // namespace agpusim::out_of_core
