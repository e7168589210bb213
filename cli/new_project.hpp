#pragma once

#include <filesystem>
#include <string>

#include <CLI/CLI.hpp>

namespace agpusim {

struct NewOptions {
  std::string name;
  std::filesystem::path folder;  ///< empty: ./<name>
};

void setup_new(CLI::App& app);

/// Writes a project with an algorithm of its own that uses the installed agpusim. Throws UsageError
/// for a name that cannot be an algorithm's and for a folder that exists.
void run_new(const NewOptions& options);

}  // namespace agpusim
