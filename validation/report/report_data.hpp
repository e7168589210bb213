#pragma once

#include <string>

#include "agpusim/validation/report/report.hpp"

namespace agpusim::report {

/// An array with an object for each row, of the columns with a key.
[[nodiscard]] Value rows_json(const Table& table);

/// The value with each array of several objects as {"packed": how many, "columns": {key: column}},
/// or with "sparse" in place of "columns" where a null is a member that the object lacks. A column
/// is an array, {"all": the value of every object} or {"texts": each once, "index": into them}.
[[nodiscard]] Value packed(const Value& value);

/// What to_json(report) says in less space, for pages: rows as columns, equal values and texts once
/// (web/js/unpack.js undoes it).
[[nodiscard]] std::string to_packed_json(const Report& report);

}  // namespace agpusim::report
