#pragma once

#include <algorithm>
#include <map>
#include <set>

#include "agpusim/model/agpu/pricing.hpp"
#include "agpusim/model/agpu/spec.hpp"

namespace agpusim::reference {

/// Distinct aligned units of `unit` words that elements of `words` words touch: the definition.
inline std::int64_t units(const std::vector<std::int64_t>& elements, std::int64_t words,
                          std::int64_t unit) {
  std::set<std::int64_t> touched;
  for (const std::int64_t element : elements) {
    for (std::int64_t j = 0; j < words; ++j) touched.insert((element * words + j) / unit);
  }
  return static_cast<std::int64_t>(touched.size());
}

/// Price of one shared request by the definition: passes of b/words lanes, each as long as its
/// busiest bank; equal addresses count once in mode `merge`, in which the passes of a load are of
/// twice as many lanes when elements have several words and no lane asks for another element than
/// the lane of the pass whose number differs in the lowest bit, or than that in the second, or all
/// ask for one.
/// Conflicts are what a pass takes above the wavefronts of one element alone.
inline SharedPrice shared(const AgpuSpec& spec, const std::vector<std::int64_t>& elements,
                          const std::vector<std::int32_t>& lanes, std::int64_t base,
                          std::int64_t words, bool load) {
  const bool one_element = std::equal(elements.begin() + 1, elements.end(), elements.begin());
  const std::int64_t lanes_of_pass = std::max<std::int64_t>(1, spec.block_words / words);
  const auto twice = std::min<std::int64_t>(spec.block_words, 2 * lanes_of_pass);
  const auto pairs_agree = [&](std::int32_t bit) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const bool pair = lanes[i] % spec.block_words == (lanes[j] % spec.block_words ^ bit);
        if (pair && elements[i] != elements[j]) return false;
      }
    }
    return 2 * bit <= twice;
  };
  const bool pairs = spec.bank_mode == BankMode::merge && load && words > 1 &&
                     (one_element || pairs_agree(1) || pairs_agree(2));
  const std::int64_t per_pass = pairs ? twice : lanes_of_pass;
  std::map<std::int64_t, std::multiset<std::int64_t>> passes;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    for (std::int64_t j = 0; j < words; ++j) {
      passes[lanes[i] % spec.block_words / per_pass].insert(base + elements[i] * words + j);
    }
  }
  SharedPrice sum;
  for (const auto& [pass, addresses] : passes) {
    std::map<std::int64_t, std::int64_t> of_bank;
    std::int64_t worst = 0;
    for (auto it = addresses.begin(); it != addresses.end(); ++it) {
      const bool repeated = it != addresses.begin() && *std::prev(it) == *it;
      if (repeated && spec.bank_mode == BankMode::merge) continue;
      worst = std::max(worst, ++of_bank[*it % spec.block_words]);
    }
    sum.wavefronts += worst;
    sum.conflicts += worst - (words + spec.block_words - 1) / spec.block_words;
  }
  return sum;
}

}  // namespace agpusim::reference
