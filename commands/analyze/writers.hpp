#pragma once

#include <filesystem>
#include <string>

#include "agpusim/commands/analyze/analysis.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim {

/// How well the model predicted each algorithm, where it is worst, and the counters; times in
/// milliseconds, errors as fractions. Programs get every row, readers only with `rows`.
[[nodiscard]] report::Report to_report(const Analysis& analysis, bool rows = false);

/// A page of the report with interactive plots that needs no network.
[[nodiscard]] std::string to_html(const Analysis& analysis);

/// Puts to_html at `path`, whole or not at all. Throws IoError that names the path.
void write_html(const Analysis& analysis, const std::filesystem::path& path);

}  // namespace agpusim
