#pragma once

namespace agpusim::test {

/// Runs the kernels of tests/ptx/programs, and compares what they leave with what the host
/// computes.
void run_corpus();

}  // namespace agpusim::test
