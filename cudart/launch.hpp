#pragma once

#include <cstddef>

#include "agpusim/cudart/abi.hpp"

namespace agpusim::cudart {

/// The values of a kernel's parameters, as a program gives them.
struct Arguments {
  void** each = nullptr;         ///< an address for each parameter
  const void* buffer = nullptr;  ///< all of them, as they lie in the kernel's memory; null: `each`
  std::size_t buffer_bytes = 0;
};

/// Launches a kernel, of which the program has a function of the host or a handle, as the
/// configuration and its attributes say.
Status launch_as(const void* function, const LaunchConfig& how, const Arguments& arguments,
                 bool cooperative = false);

}  // namespace agpusim::cudart
