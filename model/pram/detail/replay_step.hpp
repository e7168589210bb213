#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "agpusim/model/pram/trace.hpp"

namespace agpusim::detail {

/// The accesses in the order of the cells; those of one cell stay in their order.
[[nodiscard]] std::vector<PramAccessRecord> by_cell(std::vector<PramAccessRecord> accesses);

/// Calls `visit` with the accesses of each cell in turn. `sorted` comes from by_cell.
template <class Visit>
void for_each_cell(std::span<const PramAccessRecord> sorted, Visit visit) {
  while (!sorted.empty()) {
    std::size_t count = 1;
    while (count < sorted.size() && sorted[count].cell == sorted[0].cell) ++count;
    visit(sorted.first(count));
    sorted = sorted.subspan(count);
  }
}

/// The processors that did something in the step, in order.
[[nodiscard]] std::vector<std::int64_t> active_processors(const PramStepTrace& step);

/// The accesses of processors first..last-1; `accesses` are in the order of the processors.
[[nodiscard]] std::span<const PramAccessRecord> of_processors(
    std::span<const PramAccessRecord> accesses, std::int64_t first, std::int64_t last);

/// What one cell that held `old` holds after `writers`, all of one step and in the order of their
/// numbers, wrote it (theory 2.2, 2.3). Plain writes replace `old`, accumulating ones keep it.
/// Throws RuleViolation when the machine forbids these writers, or when the result does not fit w
/// bits. Of writers on an `arbitrary` machine the first wins: give it those of effective_writes.
[[nodiscard]] std::int64_t written(const PramSpec& spec, std::span<const PramAccessRecord> writers,
                                   std::int64_t old);

/// The writes of every step that took effect: under `arbitrary` and `priority` those of the winner
/// of each cell, elsewhere all of them. Where writers are counted, each of them has the value 1.
[[nodiscard]] std::vector<std::vector<PramAccessRecord>> effective_writes(const PramTrace& trace);

}  // namespace agpusim::detail
