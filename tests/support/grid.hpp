#pragma once

#include <cstddef>
#include <span>

#include "agpusim/model/run/run.hpp"

namespace agpusim::test {

/// Calls `check` with `config` set to points of a grid of sizes, blocks, warps and shared memories:
/// every three of them meet in each combination, once (an orthogonal array).
template <class Check>
void for_grid(RunConfig& config, std::span<const std::int64_t> sizes,
              std::span<const std::int64_t, 3> shared_words, Check check) {
  constexpr std::int32_t blocks[] = {1, 2, 3, 7, 8, 16, 32, 33};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    for (std::size_t j = 0; j < std::size(blocks); ++j) {
      for (const std::int32_t warps : {1, 2, 3}) {
        const std::int64_t n = sizes[i];
        const std::int32_t b = blocks[j];
        const std::int64_t k = 1 + (n + b + warps) % 16;
        config.n = n;
        config.spec.block_words = b;
        config.spec.width = b * warps;
        config.spec.cores = b * k;
        config.spec.shared_words = shared_words[(i + j + static_cast<std::size_t>(warps)) % 3];
        config.spec.skip_empty = (n + b) % 4 != 0;
        config.spec.assignment = k % 3 == 0 ? Assignment::list : Assignment::static_cyclic;
        check();
      }
    }
  }
}

}  // namespace agpusim::test
