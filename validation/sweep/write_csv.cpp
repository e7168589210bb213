#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/validation/report/csv_cells.hpp"
#include "agpusim/validation/sweep/writers.hpp"

namespace agpusim::sweep {
namespace {

using agpusim::detail::csv_cell;
using agpusim::detail::csv_line;

constexpr const char* machine_symbols[] = {"p", "b", "M", "w", "V", "k", "n"};
constexpr const char* quantity_names[] = {"T", "Q", "steps", "processors", "work"};

bool is_machine_symbol(const std::string& name) {
  return std::find(std::begin(machine_symbols), std::end(machine_symbols), name) !=
         std::end(machine_symbols);
}

std::vector<std::string> header_cells() {
  std::vector<std::string> cells = {"program", "model", "algorithm", "variant", "type", "input"};
  for (const char* const name : machine_symbols) cells.emplace_back(name);
  for (const char* const name : {"parameters", "refused", "counts", "extrapolated_from_n"}) {
    cells.emplace_back(name);
  }
  for (const std::string name : quantity_names) {
    for (const char* const part : {"", "_formula", "_bound", "_lower_bound"}) {
      cells.push_back(name + part);
    }
  }
  for (const char* const name : {"phases", "predicted_ms", "limit", "device"}) {
    cells.emplace_back(name);
  }
  return cells;
}

std::vector<std::string> point_cells(const Point& point) {
  std::vector<std::string> cells = {point.program, point.model, point.algorithm,
                                    point.variant, point.type,  point.input};
  for (const char* const name : machine_symbols) {
    const auto it = point.symbols.find(name);
    cells.push_back(it == point.symbols.end() ? "" : fmt::format("{}", it->second));
  }
  std::vector<std::string> parameters;
  for (const auto& [name, value] : point.symbols) {
    if (!is_machine_symbol(name)) parameters.push_back(fmt::format("{}={}", name, value));
  }
  const bool counted = point.refusal.empty();
  cells.push_back(fmt::format("{}", fmt::join(parameters, ";")));
  cells.push_back(point.refusal);
  cells.push_back(point.source);
  cells.push_back(point.from_n > 0 ? fmt::format("{}", point.from_n) : "");
  for (const char* const name : quantity_names) {
    const Quantity* const q = point.find(name);
    cells.push_back(q == nullptr ? "" : fmt::format("{}", q->count));
    cells.push_back(q == nullptr ? "" : csv_cell(q->formula));
    cells.push_back(q == nullptr ? "" : csv_cell(q->bound));
    cells.push_back(q == nullptr ? "" : csv_cell(q->lower_bound));
  }
  cells.push_back(counted && point.model == "AGPU" ? fmt::format("{}", point.phases) : "");
  cells.push_back(csv_cell(point.predicted_ms));
  cells.push_back(point.limit);
  cells.push_back(point.device);
  return cells;
}

}  // namespace

std::string to_csv(const std::vector<Point>& points) {
  std::string text = csv_line(header_cells());
  for (const Point& point : points) text += csv_line(point_cells(point));
  return text;
}

}  // namespace agpusim::sweep
