#pragma once

#include <string>
#include <vector>

#include "agpusim/commands/compare/comparison.hpp"
#include "agpusim/commands/compare/detail/measured_times.hpp"

namespace agpusim::contest::detail {

/// The contestants, each with its type and input, and what a reader should know about these.
struct Kinds {
  std::vector<Contestant> of;
  std::vector<std::string> remarks;
};

/// Element type and input: those of the options; else the first of the first contestant that all
/// have; else each its own first. A program without a row has those it was measured with.
[[nodiscard]] Kinds choose_kinds(const Registry& registry, const Options& options,
                                 const MeasuredTimes& measured);

}  // namespace agpusim::contest::detail
