#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/pram/logarithms.hpp"
#include "agpusim/model/cost/units.hpp"
#include "agpusim/model/run/algorithm.hpp"

// The shape of the algorithms of Nishimura and Toyonaga (theory 3.13): rounds in which the numbers
// meet in pairs of neighbours.
namespace agpusim::tournament {

/// Rounds over n >= 1 numbers, padded to an even number of them: pair i is the elements 2i, 2i+1.
struct Rounds {
  std::int64_t padded;    ///< N: n, or n + 1 where n is odd
  std::int32_t per_task;  ///< pairs, or elements, of one task: rows of V

  [[nodiscard]] std::int64_t pairs() const { return padded / 2; }
  /// ⌈lg N⌉. One round for n = 1, whose number meets its copy.
  [[nodiscard]] std::int64_t count() const { return ceil_lg(padded); }
  /// Tasks of a phase over `elements` elements or pairs.
  [[nodiscard]] std::int64_t tasks(std::int64_t elements) const {
    return ceil_div(elements, per_task);
  }
};

[[nodiscard]] Rounds rounds_of(const RunConfig& config);

/// Q of an algorithm with `factor` n/b block accesses in a round, `blocks` as text.
[[nodiscard]] Bound io_of_rounds(const std::string& blocks, double factor);

/// Sets what the rows of these algorithms have in common: types, inputs, the parameters "rows" and
/// "mean", the bounds.
void complete_row(Algorithm& row);

/// Throws UsageError when a task would take too many pairs.
void check_rows(const RunConfig& config);

/// Calls `f` with a value of the element type of a run, "i32" or "f32".
template <class F>
auto with_number(const RunConfig& config, F f) {
  return config.type == "f32" ? f(float{}) : f(std::int32_t{});
}

}  // namespace agpusim::tournament
