#pragma once

#include <string>
#include <string_view>

#include "agpusim/model/run/run.hpp"

namespace agpusim {

/// One line of JSON with sorted keys; equal configurations give equal text.
[[nodiscard]] std::string config_to_json(const RunConfig& config);

/// The inverse. Throws FileError that names the field; does not check that the run is possible.
[[nodiscard]] RunConfig config_from_json(std::string_view text);

}  // namespace agpusim
