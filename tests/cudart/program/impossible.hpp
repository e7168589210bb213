#pragma once

namespace agpusim::test {

/// Null for each result returns cudaErrorInvalidValue, and nothing is written. `kernel`: one with
/// parameters.
void null_results(const void* kernel, const void* symbol);
/// Sizes, pitches and extents that wrap or exceed return the documented errors; empty ones succeed
/// at once.
void impossible_sizes();

}  // namespace agpusim::test
