#pragma once

#include "agpusim/model/run/run.hpp"
#include "agpusim/validation/io/json.hpp"
#include "agpusim/validation/records/environment.hpp"

/// JSON of runs and of where they were measured. Included by .cpp files only.
namespace agpusim::detail {

[[nodiscard]] Json encode(const AgpuSpec& spec);
[[nodiscard]] Json encode(const RunConfig& config);
[[nodiscard]] Json encode(const Environment& environment);
[[nodiscard]] nlohmann::ordered_json encode(const PramSpec& spec);
/// A run on a PRAM, which has no element type.
[[nodiscard]] nlohmann::ordered_json encode_on_pram(const RunConfig& config);

/// Each throws JsonError for a missing or unusable field.
[[nodiscard]] AgpuSpec decode_spec(const Json& json);
[[nodiscard]] RunConfig decode_config(const Json& json);
[[nodiscard]] Environment decode_environment(const Json& json);

}  // namespace agpusim::detail
