#pragma once

#include <filesystem>
#include <string>

#include "agpusim/validation/analysis/analysis.hpp"

namespace agpusim {

/// One table per group with a sentence on its limit, then the summary.
[[nodiscard]] std::string to_text(const Analysis& analysis);

/// The whole analysis as JSON (schema: docs/reference); times in milliseconds, errors as fractions.
[[nodiscard]] std::string to_json(const Analysis& analysis);

/// One line per row of every group, with a header; times in milliseconds, errors as fractions.
[[nodiscard]] std::string to_csv(const Analysis& analysis);

/// The analysis as the page reads it: rows as columns of numbers of nine digits, so that ten
/// thousand fit into 3 MB (schema: web/README.md).
[[nodiscard]] std::string to_page_data(const Analysis& analysis);

/// A page with interactive plots that needs no network.
[[nodiscard]] std::string to_html(const Analysis& analysis);

/// Puts to_html at `path`, whole or not at all. Throws IoError that names the path.
void write_html(const Analysis& analysis, const std::filesystem::path& path);

}  // namespace agpusim
