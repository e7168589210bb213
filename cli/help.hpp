#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace agpusim {

struct HelpOptions {
  std::string topic;  ///< empty: the overview
};

/// `app` must outlive the callback: its subcommands are topics.
void setup_help(CLI::App& app);

/// Prints the topic. Throws UsageError with the known topics when there is none of this name.
void run_help(const CLI::App& app, const HelpOptions& options);

}  // namespace agpusim
