#pragma once

#include <filesystem>
#include <string>

#include "agpusim/validation/contest/comparison.hpp"

namespace agpusim::comparison {

/// Per machine a table with every contestant at every n, who is ahead, where the order changes, and
/// how far the counts foretell the measured order.
[[nodiscard]] std::string to_text(const Comparison& comparison);

/// The whole comparison as JSON (docs/reference/compare.md); times in milliseconds.
[[nodiscard]] std::string to_json(const Comparison& comparison);

/// One line per machine, n and contestant, with a header; times in milliseconds.
[[nodiscard]] std::string to_csv(const Comparison& comparison);

/// A page with plots and tables that needs no network.
[[nodiscard]] std::string to_html(const Comparison& comparison);

/// Each puts its text at `path`, whole or not at all. Throws IoError that names the path.
void write_csv(const Comparison& comparison, const std::filesystem::path& path);
void write_html(const Comparison& comparison, const std::filesystem::path& path);

}  // namespace agpusim::comparison
