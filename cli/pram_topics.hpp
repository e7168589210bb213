#pragma once

#include <string>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim {

/// The help page of an algorithm on a PRAM.
[[nodiscard]] std::string pram_algorithm_text(const Algorithm& algorithm);

/// The help page of the machines (`agpusim help pram-machines`).
[[nodiscard]] std::string pram_machines_text();

/// What `agpusim pram` says without a name: every variant with its machines, bound and source.
[[nodiscard]] report::Report pram_overview();

}  // namespace agpusim
