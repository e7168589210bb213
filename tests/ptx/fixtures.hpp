// The PTX texts of tests/ptx/fixtures, made by nvcc and clang++.
#pragma once

#include <string>
#include <vector>

#include "agpusim/tests/support/temp_folder.hpp"

namespace agpusim::ptx {

inline std::vector<std::string> fixture_names() {
  return {"calls", "clang", "inlined", "reduce", "tables", "warps"};
}

inline std::string fixture(const std::string& name) {
  return test::content(std::string(AGPUSIM_TEST_DIR) + "/ptx/fixtures/" + name + ".ptx");
}

}  // namespace agpusim::ptx
