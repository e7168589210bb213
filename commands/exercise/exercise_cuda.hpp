#pragma once

#include <string>

namespace agpusim {

/// Runs the kernels of a PTX file for the judge that asks on descriptor 3, until it ends: the
/// hidden command `exercise run-kernels`. Returns the exit code.
int serve_kernels(const std::string& ptx);

}  // namespace agpusim
