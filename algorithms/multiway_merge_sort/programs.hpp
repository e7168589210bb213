#pragma once

#include <type_traits>

#include "agpusim/algorithms/element_type.hpp"
#include "agpusim/algorithms/multiway_merge_sort/pivots_program.hpp"
#include "agpusim/algorithms/multiway_merge_sort/program.hpp"

namespace agpusim::multiway_merge_sort {

/// Calls f(std::type_identity<P>) with the host program P of a run on `Device`.
template <class Device, class F>
auto with_program(const RunConfig& config, F f) {
  return with_rows(shape_of(config).rows, [&](auto rows) {
    if (config.variant == "pivots") return f(std::type_identity<PivotsProgram<Device, rows>>{});
    return with_element_type(config.type, [&]<class Key>(Key) {
      return f(std::type_identity<Program<Device, Key, rows>>{});
    });
  });
}

}  // namespace agpusim::multiway_merge_sort
