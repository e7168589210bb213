#pragma once

#include <vector>

#include <fmt/format.h>

#include "agpusim/model/run/run.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim::report {

/// What was run, but for the machine; of rows with a `config`.
template <class Row>
[[nodiscard]] std::vector<Column<Row>> run_columns() {
  return {{{"algorithm", "algorithm"}, [](const Row& row) { return Value(row.config.algorithm); }},
          {{"variant", "variant"}, [](const Row& row) { return Value(row.config.variant); }},
          {{"type", "type"}, [](const Row& row) { return Value(row.config.type); }},
          {{"input", "input"}, [](const Row& row) { return Value(row.config.input); }},
          {{"n", "n", Format::size}, [](const Row& row) { return Value(row.config.n); }},
          {{"parameters", "parameters"}, [](const Row& row) {
             Value list = Value::array();
             for (const auto& [name, value] : row.config.parameters) {
               list.push_back(fmt::format("{}={}", name, value));
             }
             return list;
           }}};
}

}  // namespace agpusim::report
