#pragma once

#include <filesystem>
#include <string>

#include "agpusim/commands/analyze/analysis.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim {

/// What readers get beside the summary; programs get all.
struct Shown {
  bool rows = false;        ///< every run and counter
  bool algorithms = false;  ///< a line for each algorithm and variant, however many there are
};

/// How well the model predicted each family and algorithm, where it is worst, and the counters;
/// times in milliseconds, errors as fractions.
[[nodiscard]] report::Report to_report(const Analysis& analysis, const Shown& shown = {});

/// A page of the report with interactive plots that needs no network.
[[nodiscard]] std::string to_html(const Analysis& analysis);

/// Puts to_html at `path`, whole or not at all. Throws IoError that names the path.
void write_html(const Analysis& analysis, const std::filesystem::path& path);

}  // namespace agpusim
