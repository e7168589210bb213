#pragma once

#include <string>

namespace agpusim {

/// The help page of the words of a kernel and their prices (`agpusim help vocabulary`).
[[nodiscard]] std::string vocabulary_text();

}  // namespace agpusim
