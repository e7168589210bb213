#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace agpusim::detail {

/// A line of a CSV table: the cells, those in quotes that hold a separator (RFC 4180), and "\n".
[[nodiscard]] std::string csv_line(const std::vector<std::string>& cells);

/// The cell of a number; empty where there is none.
template <class Number>
[[nodiscard]] std::string csv_cell(const std::optional<Number>& value) {
  return value ? fmt::format("{}", *value) : std::string();
}

}  // namespace agpusim::detail
