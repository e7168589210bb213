#pragma once

#include "agpusim/papers/out_of_core/experiment.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim::out_of_core {

/// The paper's machine, every run beside its predicted makespan, predicted and measured timelines.
[[nodiscard]] report::Report to_report(const Experiment& experiment);

}  // namespace agpusim::out_of_core
