#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/model/pram/trace.hpp"

namespace agpusim {

/// A processor in a step.
struct PramOperation {
  std::string step;
  std::int64_t number = 0;  ///< number of the step, from 0
  std::int64_t processor = 0;

  friend bool operator==(const PramOperation&, const PramOperation&) = default;
};

/// Work and span of a recorded run: its DAG has a vertex for every active processor of every step,
/// and a path from each writer of a value to every reader of it. All concurrent writers of a cell
/// wrote its value, except under `arbitrary` and `priority`, where the winner did; a cell that is
/// accumulated keeps its earlier writers, one that is overwritten loses them. Input has no writer.
/// What a processor keeps in registers from step to step is not recorded: a program that does is
/// understated.
struct WorkSpan {
  std::int64_t work = 0;  ///< vertices
  std::int64_t span = 0;  ///< vertices on a longest path
  std::vector<PramOperation> critical_path;
  /// Operations by the longest path that ends in them, 1..span: what a machine with any number of
  /// processors could do at once, without the steps of the program.
  std::vector<std::int64_t> widths;

  /// Work / span; 0 without work.
  [[nodiscard]] double parallelism() const;
};

inline constexpr std::int64_t work_span_limit = 20'000'000;  ///< about 2 GB of host memory
inline constexpr std::int64_t graphviz_limit = 2'000;

/// Throws UsageError when the DAG has more than `limit` vertices and edges together.
[[nodiscard]] WorkSpan analyse_work_span(const PramTrace& trace,
                                         std::int64_t limit = work_span_limit);

/// The DAG in DOT, a row per step, the critical path in red; points join several writers with
/// several readers. Throws UsageError when it has more than `limit` vertices and edges together.
[[nodiscard]] std::string to_graphviz(const PramTrace& trace, std::int64_t limit = graphviz_limit);

}  // namespace agpusim
