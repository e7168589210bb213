#pragma once

#include <string>
#include <string_view>

#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/run/run.hpp"

namespace agpusim {

/// One line of JSON with every field of a run: its identity. Equal configurations, and no others,
/// give equal text.
[[nodiscard]] std::string config_to_json(const RunConfig& config);

/// The inverse. Throws FileError that names the field; does not check that the run is possible.
[[nodiscard]] RunConfig config_from_json(std::string_view text);

}  // namespace agpusim
