#pragma once

namespace agpusim::test {

/// Checks graphs whose nodes the program adds. `sum`: the kernel of tests/cudart/kernels.cu.
void graph_nodes(const void* sum);

}  // namespace agpusim::test
