#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace agpusim {

/// The command line of `agpusim analyze`; an empty text means no filter or the default.
struct AnalyzeOptions {
  std::vector<std::string> records;  ///< files or folders; empty: the bundled ones
  std::string algorithm;
  std::string device;
  std::string n_min;
  std::string n_max;
  bool rows = false;
  bool json = false;
  bool csv = false;
  std::string html;  ///< empty: the default name for text output, no report for JSON and CSV
  bool no_html = false;
  bool verify = false;
  bool verify_all = false;
  std::string threads = "0";  ///< 0: one per core
  std::string devices;        ///< folder of device files
};

void setup_analyze(CLI::App& app);

/// Prints prediction against measurement and writes the HTML report.
void run_analyze(const AnalyzeOptions& options);

}  // namespace agpusim
