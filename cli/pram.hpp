#pragma once

#include <CLI/CLI.hpp>

namespace agpusim {

/// `agpusim pram`: runs an algorithm on a PRAM and prints its cost, compares its variants, or lists
/// the algorithms.
void setup_pram(CLI::App& app);

}  // namespace agpusim
