#pragma once

#include <string>
#include <vector>

#include "agpusim/commands/compare/comparison.hpp"
#include "agpusim/commands/compare/detail/measured_times.hpp"

namespace agpusim::contest::detail {

/// What every contestant is run on, by contestant, and what a reader should know about it.
struct Kinds {
  std::vector<Kind> of;
  std::vector<std::string> remarks;
};

/// Element type and input: those of the options; else the first of the first contestant that all
/// have; else each its own first. A program without a row has those it was measured with.
[[nodiscard]] Kinds choose_kinds(const Registry& registry, const Options& options,
                                 const MeasuredTimes& measured);

}  // namespace agpusim::contest::detail
