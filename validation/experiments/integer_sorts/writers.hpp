#pragma once

#include <filesystem>
#include <string>

#include "agpusim/validation/experiments/integer_sorts/experiment.hpp"

namespace agpusim {

/// The findings, the scores, then a table per panel with every time in milliseconds.
[[nodiscard]] std::string to_text(const Experiment& experiment);

/// The whole experiment as JSON, with a plot per family of keys; times in
/// milliseconds.
[[nodiscard]] std::string to_json(const Experiment& experiment);

/// One line per cell and contestant, with a header; times in milliseconds.
[[nodiscard]] std::string to_csv(const Experiment& experiment);

/// A page with findings, tables and plots that needs no network.
[[nodiscard]] std::string to_html(const Experiment& experiment);

/// Puts to_html at `path`, whole or not at all. Throws IoError that names the path.
void write_html(const Experiment& experiment, const std::filesystem::path& path);

}  // namespace agpusim
