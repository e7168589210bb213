#pragma once

#include <CLI/CLI.hpp>

namespace agpusim {

struct ListOptions {
  bool json = false;
};

void setup_list(CLI::App& app);

/// Prints the algorithm table.
void run_list(const ListOptions& options);

}  // namespace agpusim
