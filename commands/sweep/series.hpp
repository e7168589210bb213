#pragma once

#include <vector>

#include "agpusim/validation/rows/row.hpp"

// Rows of programs over sizes and machines, and the laws of their counts.
namespace agpusim::sweep {

/// Whether two rows are of one program on one kind of input.
[[nodiscard]] bool same_series(const Row& a, const Row& b);

/// Sorts by program, machine and n.
void sort_rows(std::vector<Row>& rows);

}  // namespace agpusim::sweep
