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
  std::string html;  ///< empty: no page
};

/// Adds --json, --csv and --html FILE.
void add_report_options(CLI::App& command, ReportOutput& output);

/// Asked before long work: throws as require_outputs does.
void require_output(const ReportOutput& output, const std::vector<std::string>& inputs = {});

/// Prints the report in the form that is asked for and writes the page: `page`, or the tables of
/// the report where there is none. Throws IoError that names the path.
void put_report(const report::Report& report, const ReportOutput& output,
                const std::function<std::string()>& page = {});

}  // namespace agpusim
