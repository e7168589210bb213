#pragma once

#include "agpusim/validation/io/json.hpp"
#include "agpusim/validation/sweep/sweep.hpp"

/// JSON of points, for results and for files of points. Included by .cpp files only.
namespace agpusim::sweep {

[[nodiscard]] agpusim::detail::Json encode(const Point& point);
/// The inverse; throws JsonError for a missing or unusable field.
[[nodiscard]] Point decode_point(const agpusim::detail::Json& json);

}  // namespace agpusim::sweep
