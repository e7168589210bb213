#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "agpusim/commands/compare/comparison.hpp"

// Who is ahead, from the rows of one machine.
namespace agpusim::contest {

/// The entry's value of a measure; T and Q in their units, times in milliseconds.
[[nodiscard]] std::optional<double> value_of(const Row& entry, Measure measure);

/// The contestants that share the smallest value; empty when fewer than two have a value.
[[nodiscard]] std::vector<std::size_t> winners(const SizeRows& row, Measure measure);

/// The winners as runs of neighbouring sizes; sizes without winners are passed over.
[[nodiscard]] std::vector<Stretch> stretches(const std::vector<SizeRows>& rows, Measure measure);

/// The order of two contestants and where it changes, at the sizes where both have a value. Equal
/// values change nothing: the order changes when the other one gets ahead.
[[nodiscard]] PairOrder pair_order(const std::vector<SizeRows>& rows, std::size_t first,
                                   std::size_t second, Measure measure);

/// How often the winner by T, Q or prediction is the measured one.
[[nodiscard]] Agreement agreement(const std::vector<SizeRows>& rows, Measure by);

}  // namespace agpusim::contest
