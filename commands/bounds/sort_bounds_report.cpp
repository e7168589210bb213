#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "agpusim/commands/bounds/sort_bounds.hpp"
#include "agpusim/validation/io/text_table.hpp"

namespace agpusim {
namespace {

using report::Column;
using report::Format;
using report::Value;

std::string meanings() {
  std::string text =
      "In units of n/b blocks: passes over the keys\n\n"
      "reads     lower bound: [lg n! - (n/b) lg b!] / lg C(M,b), at least n/b [Aggarwal and "
      "Vitter\n"
      "          1988]; the memory is M words alone, without registers\n"
      "total     reads, and n/b writes\n";
  for (const BoundedSort& sort : bounded_sorts()) {
    text += fmt::format("{:<8}  {}{}: {}\n", sort.label, sort.algorithm,
                        sort.variant.empty() ? "" : "/" + sort.variant, sort.meaning);
  }
  return text +
         "d         the largest power of two that fits into M\n"
         "x         Q / total\n";
}

Value encode(const SortBoundsRow& row, const BoundedSort& sort, const SortIo& result) {
  Value json = {{"label", sort.label}, {"algorithm", sort.algorithm}, {"variant", sort.variant}};
  if (!result.io) {
    json["refused"] = result.refusal;
    return json;
  }
  const auto io = static_cast<double>(*result.io);
  json["parameters"] = result.config.parameters;
  json["Q"] = *result.io;
  json["passes"] = row.passes(io);
  json["ratio"] = io / row.total;
  return json;
}

/// What is shown of the i-th sort: its parameter, its passes and its ratio to the bound.
void add_sort(std::vector<Column<SortBoundsRow>>& columns, std::size_t i) {
  const BoundedSort& sort = bounded_sorts()[i];
  const auto of_value = [i](auto get) {
    return [i, get](const SortBoundsRow& row) {
      return row.sorts[i].io ? get(row, row.sorts[i]) : Value(nullptr);
    };
  };
  if (!sort.parameter.empty()) {
    columns.push_back(
        {{"", sort.parameter, Format::plain},
         of_value([name = sort.parameter](const SortBoundsRow&, const SortIo& result) {
           return Value(result.config.parameters.at(name));
         })});
  }
  columns.push_back({{"", sort.label, Format::two_digits},
                     of_value([](const SortBoundsRow& row, const SortIo& result) {
                       return Value(row.passes(static_cast<double>(*result.io)));
                     })});
  columns.push_back({{"", "x", Format::one_digit, true},
                     of_value([](const SortBoundsRow& row, const SortIo& result) {
                       return Value(static_cast<double>(*result.io) / row.total);
                     })});
}

std::vector<Column<SortBoundsRow>> columns() {
  std::vector<Column<SortBoundsRow>> all = {
      {{"n", "n", Format::size}, [](const SortBoundsRow& row) { return Value(row.n); }},
      {{"b", ""}, [](const SortBoundsRow& row) { return Value(row.block_words); }},
      {{"M", "M", Format::plain}, [](const SortBoundsRow& row) { return Value(row.shared_words); }},
      {{"", "reads", Format::two_digits},
       [](const SortBoundsRow& row) { return Value(row.passes(row.reads)); }},
      {{"", "total", Format::two_digits},
       [](const SortBoundsRow& row) { return Value(row.passes(row.total)); }},
      {{"lower_bound", ""}, [](const SortBoundsRow& row) {
         return Value({{"reads", row.passes(row.reads)}, {"total", row.passes(row.total)}});
       }}};
  for (std::size_t i = 0; i < bounded_sorts().size(); ++i) add_sort(all, i);
  all.push_back({{"sorts", ""}, [](const SortBoundsRow& row) {
                   Value sorts = Value::array();
                   for (std::size_t i = 0; i < row.sorts.size(); ++i) {
                     sorts.push_back(encode(row, bounded_sorts()[i], row.sorts[i]));
                   }
                   return sorts;
                 }});
  return all;
}

/// A sort on a line of the table.
struct Pair {
  const SortBoundsRow* row;
  const BoundedSort* sort;
  const SortIo* result;
};

/// A line per sort and point.
report::Table flat_table(const std::vector<SortBoundsRow>& rows) {
  std::vector<Pair> pairs;
  for (const SortBoundsRow& row : rows) {
    for (std::size_t i = 0; i < row.sorts.size(); ++i) {
      pairs.push_back({&row, &bounded_sorts()[i], &row.sorts[i]});
    }
  }
  const auto member = [](const char* key) {
    return Column<Pair>{{key, ""}, [key](const Pair& pair) {
                          const Value json = encode(*pair.row, *pair.sort, *pair.result);
                          return json.contains(key) ? json.at(key) : Value(nullptr);
                        }};
  };
  const std::vector<Column<Pair>> columns = {
      {{"n", ""}, [](const Pair& pair) { return Value(pair.row->n); }},
      {{"b", ""}, [](const Pair& pair) { return Value(pair.row->block_words); }},
      {{"M", ""}, [](const Pair& pair) { return Value(pair.row->shared_words); }},
      {{"bound_passes", ""},
       [](const Pair& pair) { return Value(pair.row->passes(pair.row->total)); }},
      member("algorithm"),
      member("variant"),
      member("parameters"),
      member("Q"),
      member("passes"),
      member("ratio"),
      member("refused")};
  report::Table table = report::table("", columns, pairs);
  table.csv = true;
  table.for_reader = false;
  return table;
}

/// Q over the lower bound against n, or M, where two rows or more share the other.
void add_panel(agpusim::detail::Plot& plot, const std::vector<SortBoundsRow>& rows, const char* x,
               const char* fixed, std::int64_t SortBoundsRow::*at,
               std::int64_t SortBoundsRow::*same) {
  std::map<std::int64_t, std::vector<const SortBoundsRow*>> by_fixed;
  for (const SortBoundsRow& row : rows) by_fixed[row.*same].push_back(&row);
  agpusim::detail::PlotPanel panel{std::string("Against ") + x, x, "Q / lower bound", {}};
  for (auto& [value, points] : by_fixed) {
    if (points.size() < 2) continue;
    std::sort(points.begin(), points.end(),
              [&](const auto* a, const auto* b) { return a->*at < b->*at; });
    for (std::size_t i = 0; i < bounded_sorts().size(); ++i) {
      agpusim::detail::PlotSeries series{
          fmt::format("{}, {} = {}", bounded_sorts()[i].label, fixed, detail::size_text(value)),
          static_cast<int>(panel.series.size())};
      for (const SortBoundsRow* const row : points) {
        if (!row->sorts[i].io) continue;
        series.points.push_back(
            {static_cast<double>(row->*at), static_cast<double>(*row->sorts[i].io) / row->total});
      }
      series.line = series.points;
      panel.series.push_back(std::move(series));
    }
  }
  if (!panel.series.empty()) plot.panels.push_back(std::move(panel));
}

/// What the sorts refused, each reason once.
std::vector<std::string> refusals(const std::vector<SortBoundsRow>& rows) {
  std::vector<std::string> lines;
  for (const SortBoundsRow& row : rows) {
    for (std::size_t i = 0; i < row.sorts.size(); ++i) {
      if (row.sorts[i].io) continue;
      std::string line = fmt::format("{}: {}", bounded_sorts()[i].label, row.sorts[i].refusal);
      if (std::find(lines.begin(), lines.end(), line) == lines.end()) {
        lines.push_back(std::move(line));
      }
    }
  }
  return lines;
}

}  // namespace

report::Report to_report(const std::vector<SortBoundsRow>& rows) {
  const std::int32_t b = rows.front().block_words;
  report::Report report;
  report.title = fmt::format(
      "I/O of sorting by comparisons, n keys of one word on AGPU(p, b = {0}, M), V = {0}", b);
  report::Section table;
  table.sentences = {meanings()};
  agpusim::detail::Plot plot{"bounds", "I/O over the lower bound", 2, {}};
  add_panel(plot, rows, "n", "M", &SortBoundsRow::n, &SortBoundsRow::shared_words);
  add_panel(plot, rows, "M", "n", &SortBoundsRow::shared_words, &SortBoundsRow::n);
  if (!plot.panels.empty()) table.plots = {plot};
  table.tables = {report::table("rows", columns(), rows), flat_table(rows)};
  report::Section refused;
  refused.sentences = refusals(rows);
  report.body.sections = {table, refused};
  return report;
}

}  // namespace agpusim
