#pragma once

#include "agpusim/algorithms/segmented/program.hpp"

namespace agpusim::segmented_reduce {

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return segmented::program_for<segmented::Result::folds>(device, config);
}

}  // namespace agpusim::segmented_reduce
