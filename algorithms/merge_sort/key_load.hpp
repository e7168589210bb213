#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "agpusim/algorithms/merge_sort/distribution.hpp"
#include "agpusim/model/run/run.hpp"

namespace agpusim::multiway_merge_sort {

/// Keys that multiprocessors get when regions are assigned to them.
struct KeyLoad {
  std::int64_t used = 0;                ///< multiprocessors with a region
  std::int64_t most = 0;                ///< keys of one of them
  std::vector<std::int64_t> keys = {};  ///< what each has, from the first on
};

/// Next-fit, as Lemma 4.1 of seed 001 has it: where a multiprocessor would get `cap` keys or more,
/// the region goes to the next one. `used` may exceed what a machine has.
[[nodiscard]] KeyLoad next_fit_in_keys(std::span<const std::int64_t> regions, std::int64_t cap);

/// Region j on multiprocessor j mod k.
[[nodiscard]] KeyLoad cyclic_in_keys(std::span<const std::int64_t> regions, std::int64_t k);

/// What Lemma 4.1 says of the regions of a run on k multiprocessors, and what is so: with more than
/// lk + 1 regions next-fit gives none of them 2n/k keys.
[[nodiscard]] std::vector<NamedValue> lemma_of_next_fit(const Distribution& distribution,
                                                        std::span<const std::int64_t> regions,
                                                        std::int64_t k);

}  // namespace agpusim::multiway_merge_sort
