#pragma once

#include "agpusim/validation/report/report.hpp"

namespace agpusim::report {

/// An array with an object for each row, of the columns with a key.
[[nodiscard]] Value rows_json(const Table& table);

}  // namespace agpusim::report
