#include <algorithm>

#include <fmt/format.h>

#include "agpusim/validation/contest/sort_bounds.hpp"
#include "agpusim/validation/report/text_table.hpp"

namespace agpusim {
namespace {

std::string row_name(const BoundedSort& sort) {
  return sort.algorithm + (sort.variant.empty() ? "" : "/" + sort.variant);
}

std::string heading(std::int32_t block_words) {
  std::string text = fmt::format(
      "I/O of sorting n keys of one word by comparisons on AGPU(p, b = {0}, M), V = {0},\n"
      "in units of n/b blocks: passes over the keys\n\n"
      "reads     lower bound: [lg n! - (n/b) lg b!] / lg C(M,b), at least n/b [Aggarwal and "
      "Vitter\n"
      "          1988]; the memory is M words alone, without registers\n"
      "total     reads, and n/b writes\n",
      block_words);
  for (const BoundedSort& sort : bounded_sorts()) {
    text += fmt::format("{:<8}  {}: {}\n", sort.label, row_name(sort), sort.meaning);
  }
  return text +
         "d         the largest power of two that fits into M\n"
         "x         Q / total\n\n";
}

std::vector<std::string> header() {
  std::vector<std::string> cells = {"n", "M", "reads", "total"};
  for (const BoundedSort& sort : bounded_sorts()) {
    if (!sort.parameter.empty()) cells.push_back(sort.parameter);
    cells.push_back(sort.label);
    cells.emplace_back("x");
  }
  return cells;
}

std::vector<std::string> cells_of(const SortBoundsRow& row) {
  const auto two_decimals = [](double value) { return fmt::format("{:.2f}", value); };
  std::vector<std::string> cells = {detail::size_text(row.n), fmt::format("{}", row.shared_words),
                                    two_decimals(row.passes(row.reads)),
                                    two_decimals(row.passes(row.total))};
  for (std::size_t i = 0; i < row.sorts.size(); ++i) {
    const SortIo& sort = row.sorts[i];
    const std::string& parameter = bounded_sorts()[i].parameter;
    if (!parameter.empty()) {
      cells.push_back(sort.io ? fmt::format("{}", sort.config.parameters.at(parameter)) : "-");
    }
    const double io = static_cast<double>(sort.io.value_or(0));
    cells.push_back(sort.io ? two_decimals(row.passes(io)) : "-");
    cells.push_back(sort.io ? fmt::format("{:.1f}", io / row.total) : "-");
  }
  return cells;
}

/// What the sorts refused, each reason once.
std::string refusals(const std::vector<SortBoundsRow>& rows) {
  std::vector<std::string> lines;
  for (const SortBoundsRow& row : rows) {
    for (std::size_t i = 0; i < row.sorts.size(); ++i) {
      if (row.sorts[i].io) continue;
      const std::string line =
          fmt::format("{}: {}\n", bounded_sorts()[i].label, row.sorts[i].refusal);
      if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    }
  }
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "\n" : "") + line;
  return text;
}

}  // namespace

std::string sort_bounds_text(const std::vector<SortBoundsRow>& rows) {
  std::vector<std::vector<std::string>> cells;
  for (const SortBoundsRow& row : rows) cells.push_back(cells_of(row));
  return heading(rows.front().block_words) + detail::text_table(header(), cells, 1) +
         refusals(rows);
}

}  // namespace agpusim
