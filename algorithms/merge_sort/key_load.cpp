#include "agpusim/algorithms/merge_sort/key_load.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "agpusim/model/cost/units.hpp"

namespace agpusim::multiway_merge_sort {

KeyLoad next_fit_in_keys(std::span<const std::int64_t> regions, std::int64_t cap) {
  KeyLoad load;
  for (const std::int64_t region : regions) {
    if (load.keys.empty() || load.keys.back() + region >= cap) load.keys.push_back(0);
    load.keys.back() += region;
    load.most = std::max(load.most, load.keys.back());
  }
  load.used = std::ssize(load.keys);
  return load;
}

KeyLoad cyclic_in_keys(std::span<const std::int64_t> regions, std::int64_t k) {
  std::vector<std::int64_t> keys(static_cast<std::size_t>(k), 0);
  for (std::size_t j = 0; j < regions.size(); ++j) keys[j % keys.size()] += regions[j];
  const std::int64_t most = *std::max_element(keys.begin(), keys.end());
  return {std::min<std::int64_t>(k, std::ssize(regions)), most, std::move(keys)};
}

std::vector<NamedValue> lemma_of_next_fit(const Distribution& distribution,
                                          std::span<const std::int64_t> regions, std::int64_t k) {
  const std::int64_t n = distribution.n;
  const std::int64_t needed = std::int64_t{distribution.runs} * k + 1;
  const KeyLoad load = next_fit_in_keys(regions, ceil_div(2 * n, k));
  const KeyLoad in_turn = cyclic_in_keys(regions, k);
  const bool holds = load.used <= k && load.most * k < 2 * n;
  const std::string lemma =
      distribution.regions() <= needed
          ? fmt::format("says nothing: u > lk + 1 = {} is not so", needed)
          : fmt::format("{}: u > lk + 1 = {}", holds ? "holds" : "FAILS", needed);
  return {
      {"regions",
       fmt::format("u = {} from l = {} runs, the largest of {} keys", distribution.regions(),
                   distribution.runs, *std::max_element(regions.begin(), regions.end()))},
      {"in turn", fmt::format("at most {} keys on a multiprocessor, n/k = {}", in_turn.most, n / k),
       in_turn.keys},
      {"next-fit",
       fmt::format("at most {} keys on each of {} of k = {} multiprocessors; cap 2n/k = {}",
                   load.most, load.used, k, 2 * n / k),
       load.keys},
      {"Lemma 4.1", lemma}};
}

}  // namespace agpusim::multiway_merge_sort
