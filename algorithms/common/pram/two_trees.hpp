#pragma once

#include <cstdint>
#include <string_view>

#include "agpusim/algorithms/common/pram/logarithms.hpp"
#include "agpusim/model/pram/run.hpp"

namespace agpusim {

/// Leaves the folds of a[0..n-1] and of b[0..n-1], n >= 1, by commutative and associative operators
/// in a[0] and b[0]. Both trees (fold_by_tree) grow side by side: ⌈lg n⌉ steps of at most 2⌊n/2⌋
/// processors, no cell read or written by two of them.
template <class OperatorA, class OperatorB>
void fold_two_by_tree(Pram& pram, std::string_view step_name, const PramArray& a,
                      OperatorA combine_a, const PramArray& b, OperatorB combine_b) {
  for (std::int64_t values = a.size(); values > 1; values -= values / 2) {
    const std::int64_t pairs = values / 2;
    const std::int64_t half = values - pairs;
    pram.step(step_name, 2 * pairs, [&](PramProcessor& p) {
      const bool of_a = p.id() < pairs;
      const PramArray& tree = of_a ? a : b;
      const std::int64_t i = of_a ? p.id() : p.id() - pairs;
      const std::int64_t mine = p.read(tree, i);
      const std::int64_t other = p.read(tree, i + half);
      p.write(tree, i, of_a ? combine_a(mine, other) : combine_b(mine, other));
    });
  }
}

/// What fold_two_by_tree costs; the n values of an array are combined n - 1 times.
[[nodiscard]] constexpr PramForm two_trees_form(std::int64_t n) {
  return n <= 1 ? PramForm{} : PramForm{ceil_lg(n), n / 2 * 2, 2 * (n - 1)};
}

}  // namespace agpusim
