#pragma once

#include <CLI/CLI.hpp>

namespace agpusim {

/// `agpusim list`: the algorithm tables.
void setup_list(CLI::App& app);

}  // namespace agpusim
