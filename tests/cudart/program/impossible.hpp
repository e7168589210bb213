#pragma once

#include <string>
#include <vector>

namespace agpusim::test {

/// Null for each result returns cudaErrorInvalidValue, and nothing is written. `kernel`: one with
/// parameters.
void null_results(const void* kernel, const void* symbol);
/// Sizes, pitches and extents that wrap or exceed return the documented errors; empty ones succeed
/// at once.
void impossible_sizes();

/// Fat binaries of a text whose numbers are wrong; all[1] ends before its first entry.
[[nodiscard]] std::vector<std::string> damaged_images(const std::string& ptx);

}  // namespace agpusim::test
