#pragma once

#include "agpusim/validation/io/json.hpp"
#include "agpusim/validation/rows/row.hpp"

/// JSON of rows, for files of them. Included by .cpp files only.
namespace agpusim::sweep {

[[nodiscard]] agpusim::detail::Json encode(const Row& row);
/// The inverse; throws JsonError for a missing or unusable field.
[[nodiscard]] Row decode_row(const agpusim::detail::Json& json);

}  // namespace agpusim::sweep
