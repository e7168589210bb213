#pragma once

#include <memory>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/merge_sort/pivots_program.hpp"
#include "agpusim/algorithms/merge_sort/program.hpp"
#include "agpusim/model/run/host_program.hpp"

namespace agpusim::multiway_merge_sort {

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return with_rows(shape_of(config).rows, [&](auto rows) {
    return with_element_type(config.type, [&]<class Key>(Key) {
      if (config.variant == "pivots") {
        return host_program<PivotsProgram<Device, Key, rows>>(device, config);
      }
      return host_program<Program<Device, Key, rows>>(device, config);
    });
  });
}

}  // namespace agpusim::multiway_merge_sort
