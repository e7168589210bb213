#pragma once

#include <string>

#include "agpusim/model/agpu/spec.hpp"

namespace agpusim {

/// What a machine does otherwise than usual, beyond the numbers of AgpuSpec::to_string, for example
/// "bank-mode=strict no-skip-empty"; empty when it does nothing otherwise.
[[nodiscard]] std::string rules_text(const AgpuSpec& spec);

}  // namespace agpusim
