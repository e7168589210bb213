#pragma once

#include <functional>
#include <string>
#include <vector>

#include "agpusim/algorithms/registry.hpp"

namespace agpusim {

/// A page of `agpusim help` that is neither a command nor an algorithm.
struct Topic {
  std::string name;
  std::function<std::string()> text;
};

/// machines, sizes, inputs, exit-codes, pram-machines, vocabulary.
[[nodiscard]] const std::vector<Topic>& general_topics();

/// The page of one algorithm, made from its row.
[[nodiscard]] std::string algorithm_text(const Algorithm& algorithm);

}  // namespace agpusim
