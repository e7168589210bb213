#pragma once

#include <string>

#include "agpusim/algorithms/registry.hpp"

namespace agpusim::test {

/// All rows of the algorithm table.
inline const Registry& all_rows() {
  static const Registry table = [] {
    Registry registry;
    register_all(registry);
    return registry;
  }();
  return table;
}

/// The row of an algorithm.
inline const Algorithm& row(const std::string& name) { return all_rows().find(name); }

}  // namespace agpusim::test
