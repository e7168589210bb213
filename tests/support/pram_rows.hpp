#pragma once

#include "agpusim/algorithms/pram_registry.hpp"

namespace agpusim::test {

/// All rows of the table of PRAM algorithms.
inline const PramRegistry& all_pram_rows() {
  static const PramRegistry table = [] {
    PramRegistry registry;
    register_all_pram(registry);
    return registry;
  }();
  return table;
}

}  // namespace agpusim::test
