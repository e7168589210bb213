#pragma once

#include <filesystem>
#include <string>

#include "agpusim/validation/experiments/statistics/experiment.hpp"

namespace agpusim::statistics_experiment {

/// The account of the paper's times, the panels and the accuracy of the variances, as tables.
[[nodiscard]] std::string to_text(const Experiment& experiment);

/// The whole experiment as JSON, with its plots; times in microseconds.
[[nodiscard]] std::string to_json(const Experiment& experiment);

/// One line per panel, n and contestant, with a header; times in microseconds.
[[nodiscard]] std::string to_csv(const Experiment& experiment);

/// A page with tables and plots that needs no network.
[[nodiscard]] std::string to_html(const Experiment& experiment);

/// Puts to_html at `path`, whole or not at all. Throws IoError that names the path.
void write_html(const Experiment& experiment, const std::filesystem::path& path);

}  // namespace agpusim::statistics_experiment
