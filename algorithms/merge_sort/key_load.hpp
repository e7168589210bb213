#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/merge_sort/distribution.hpp"
#include "agpusim/model/cost/units.hpp"
#include "agpusim/model/run/run.hpp"

namespace agpusim::multiway_merge_sort {

/// Keys that multiprocessors get when regions are assigned to them.
struct KeyLoad {
  std::int64_t used = 0;  ///< multiprocessors with a region
  std::int64_t most = 0;  ///< keys of one of them
};

/// Next-fit, as Lemma 4.1 of seed 001 has it: where a multiprocessor would get `cap` keys or more,
/// the region goes to the next one. `used` may exceed what a machine has.
[[nodiscard]] inline KeyLoad next_fit_in_keys(std::span<const std::int64_t> regions,
                                              std::int64_t cap) {
  KeyLoad load;
  std::int64_t keys = 0;
  for (const std::int64_t region : regions) {
    if (load.used == 0 || keys + region >= cap) {
      ++load.used;
      keys = 0;
    }
    keys += region;
    load.most = std::max(load.most, keys);
  }
  return load;
}

/// Region j on multiprocessor j mod k.
[[nodiscard]] inline KeyLoad cyclic_in_keys(std::span<const std::int64_t> regions, std::int64_t k) {
  std::vector<std::int64_t> keys(static_cast<std::size_t>(k), 0);
  for (std::size_t j = 0; j < regions.size(); ++j) keys[j % keys.size()] += regions[j];
  return {std::min<std::int64_t>(k, std::ssize(regions)),
          *std::max_element(keys.begin(), keys.end())};
}

/// What Lemma 4.1 says of the regions of a run on k multiprocessors, and what is so: with more than
/// lk + 1 regions next-fit gives none of them 2n/k keys.
[[nodiscard]] inline std::vector<NamedValue> lemma_of_next_fit(
    const Distribution& distribution, std::span<const std::int64_t> regions, std::int64_t k) {
  const std::int64_t n = distribution.n;
  const std::int64_t needed = std::int64_t{distribution.runs} * k + 1;
  const KeyLoad load = next_fit_in_keys(regions, ceil_div(2 * n, k));
  const bool asks = distribution.regions() > needed;
  const bool holds = load.used <= k && load.most * k < 2 * n;
  return {
      {"regions",
       fmt::format("u = {} from l = {} runs, the largest of {} keys", distribution.regions(),
                   distribution.runs, *std::max_element(regions.begin(), regions.end()))},
      {"in turn", fmt::format("at most {} keys on a multiprocessor, n/k = {}",
                              cyclic_in_keys(regions, k).most, n / k)},
      {"next-fit", fmt::format("at most {} keys on each of {} of k = {} multiprocessors; cap 2n/k "
                               "= {}",
                               load.most, load.used, k, 2 * n / k)},
      {"Lemma 4.1", !asks ? fmt::format("says nothing: u > lk + 1 = {} is not so", needed)
                          : fmt::format("{}: u > lk + 1 = {}", holds ? "holds" : "FAILS", needed)}};
}

}  // namespace agpusim::multiway_merge_sort
