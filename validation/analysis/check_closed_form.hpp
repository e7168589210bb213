#pragma once

#include <string>
#include <vector>

#include "agpusim/model/run/run.hpp"

namespace agpusim {

/// How a simulation differs from its closed form, one sentence per field; empty when equal. Kernel,
/// tasks, shared words, contention, atomic blocks and all counts of every phase must be equal; T_φ
/// and the longest task too where the form has a time, else the longest task must not exceed its
/// bound.
[[nodiscard]] std::vector<std::string> compare_with_closed_form(
    const RunReport& report, const std::vector<PhaseForm>& forms);

/// The phases of a simulation in the shape of a closed form.
[[nodiscard]] std::vector<PhaseForm> forms_of(const RunReport& report);

}  // namespace agpusim
