#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "agpusim/validation/report/report.hpp"

namespace agpusim {

/// How a command writes its report; the same options for every command.
struct ReportOutput {
  bool json = false;
  bool csv = false;
  bool tex = false;
  std::string html;  ///< empty: no page
  std::string svg;   ///< empty: no file of plots
};

/// Adds --json, --csv, --tex and --html FILE; --svg FILE where the report has plots.
void add_report_options(CLI::App& command, ReportOutput& output, bool plots = false);

/// Asked before long work: throws as require_outputs does.
void require_output(const ReportOutput& output, const std::vector<std::string>& inputs = {});

/// Prints the report in the form that is asked for and writes the page: `page`, or the tables of
/// the report where there is none; and the plots. Throws IoError that names the path, and at the
/// end UsageError for plots of a report without.
void put_report(const report::Report& report, const ReportOutput& output,
                const std::function<std::string()>& page = {});

}  // namespace agpusim
