#pragma once

#include <filesystem>
#include <string>

#include "agpusim/validation/pipeline/plan.hpp"

namespace agpusim::out_of_core {

/// Time and bound, engines, steps, and a chart of `columns` columns.
[[nodiscard]] std::string to_text(const Plan& plan, std::int32_t columns = 80);

/// The whole plan as JSON (docs/reference/pipeline.md); times in seconds.
[[nodiscard]] std::string to_json(const Plan& plan);

/// A page with chart, tables and the time over the size of chunks that needs no network.
[[nodiscard]] std::string to_html(const Plan& plan);

/// Puts to_html at `path`, whole or not at all. Throws IoError that names the path.
void write_html(const Plan& plan, const std::filesystem::path& path);

}  // namespace agpusim::out_of_core
