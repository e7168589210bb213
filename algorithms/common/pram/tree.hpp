#pragma once

#include <cstdint>
#include <string_view>

#include "agpusim/algorithms/common/pram/logarithms.hpp"
#include "agpusim/model/pram/run.hpp"

namespace agpusim {

/// Leaves the fold of x[0..n-1], n >= 1, by a commutative and associative operator in x[0]: ⌈lg n⌉
/// steps of at most ⌊n/2⌋ processors, no cell read or written by two of them.
template <class Operator>
void fold_by_tree(Pram& pram, const PramArray& x, std::string_view step_name, Operator combine) {
  for (std::int64_t values = x.size(); values > 1; values -= values / 2) {
    const std::int64_t half = values - values / 2;
    pram.step(step_name, values / 2, [&](PramProcessor& p) {
      const std::int64_t mine = p.read(x, p.id());
      p.write(x, p.id(), combine(mine, p.read(x, p.id() + half)));
    });
  }
}

/// What fold_by_tree costs; n values are combined n - 1 times.
[[nodiscard]] constexpr PramForm tree_form(std::int64_t n) {
  return n <= 1 ? PramForm{} : PramForm{ceil_lg(n), n / 2, n - 1};
}

}  // namespace agpusim
