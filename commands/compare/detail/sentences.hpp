#pragma once

#include <string>
#include <vector>

#include "agpusim/commands/compare/comparison.hpp"

// What text and page say in words.
namespace agpusim::contest::detail {

/// Who has the smallest value: "scan:sum up to n = 2^13, scan:max from 2^14". Contestants that
/// share it are joined by " = ".
[[nodiscard]] std::string sentence(const std::vector<Stretch>& stretches,
                                   const std::vector<Contestant>& contestants);

/// Who of two is ahead: "scan:sum, from about 5,230 scan:max (between 2^12 and 2^13)".
[[nodiscard]] std::string sentence(const PairOrder& order,
                                   const std::vector<Contestant>& contestants);

/// "The winner by T is the measured one at 12 of 15 sizes, or within 5 % of it at 14."
[[nodiscard]] std::string sentence(const Agreement& agreement);

/// For each pair with predictions and measurements: where its crossovers are predicted, and where
/// they are measured.
[[nodiscard]] std::vector<std::string> crossover_sentences(
    const std::vector<PairOrder>& orders, const std::vector<Contestant>& contestants);

/// The fastest over several machines: "scan:sum on h200 up to n = 2^13, ...".
[[nodiscard]] std::string sentence(const std::vector<Fastest>& fastest,
                                   const Comparison& comparison);

}  // namespace agpusim::contest::detail
