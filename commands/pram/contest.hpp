#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/report.hpp"
#include "agpusim/model/pram/run.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim {

/// One variant of an algorithm on its own machine.
struct PramComparisonRow {
  Variant variant;
  PramSpec machine;
  std::optional<PramForm> form;      ///< absent: the variant refuses this input
  std::optional<PramReport> report;  ///< absent: not run, the closed form stands in
  Differences differences;           ///< differences of the run from the reference
  std::optional<RunReport> agpu;     ///< the run, priced on an AGPU
  std::string note;                  ///< why something is absent; empty: nothing is
};

/// All variants of an algorithm on one input: what each machine buys.
struct PramComparison {
  RunConfig config = run_on_pram();  ///< run of the first variant that takes the input
  std::string summary;               ///< summary of the algorithm
  std::optional<AgpuSpec> agpu;
  std::vector<PramComparisonRow> rows;
};

/// One table, with the notes below it.
[[nodiscard]] report::Report to_report(const PramComparison& comparison);

}  // namespace agpusim
