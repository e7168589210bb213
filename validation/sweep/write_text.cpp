#include <algorithm>
#include <functional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/validation/report/text_table.hpp"
#include "agpusim/validation/sweep/writers.hpp"

namespace agpusim::sweep {
namespace {

using agpusim::detail::decimal_text;
using agpusim::detail::integer_text;
using agpusim::detail::size_text;

constexpr const char* none = "-";

/// A column of the table of one program.
struct Column {
  std::string title;
  std::function<std::string(const Point&)> text;
};

using Points = std::vector<const Point*>;

std::string symbol_text(const Point& point, const std::string& name) {
  const auto it = point.symbols.find(name);
  return it == point.symbols.end() ? none : size_text(it->second);
}

/// The symbols that differ between the points, n last.
std::vector<std::string> varying(const Points& points) {
  std::vector<std::string> names;
  for (const auto& [name, value] : points.front()->symbols) {
    const bool varies = std::any_of(points.begin(), points.end(), [&](const Point* p) {
      const auto it = p->symbols.find(name);
      return it == p->symbols.end() || it->second != value;
    });
    if (varies && name != "n" && name != "k") names.push_back(name);
  }
  // The numbers of the machine before the parameters.
  std::stable_partition(names.begin(), names.end(), [](const std::string& name) {
    return name == "p" || name == "b" || name == "M" || name == "V" || name == "w";
  });
  names.emplace_back("n");
  return names;
}

std::string ratio(std::int64_t count, double bound) {
  return bound > 0 ? fmt::format("{:.3g}", static_cast<double>(count) / bound) : none;
}

void add_quantity(std::vector<Column>& columns, const Points& points, const std::string& name) {
  const auto any = [&](auto member) {
    return std::any_of(points.begin(), points.end(), [&](const Point* p) {
      const Quantity* const q = p->find(name);
      return q != nullptr && (q->*member).has_value();
    });
  };
  const auto add = [&](const std::string& title, auto text) {
    columns.push_back({title, [name, text](const Point& point) -> std::string {
                         const Quantity* const q = point.find(name);
                         return q == nullptr ? none : text(*q);
                       }});
  };
  add(name, [](const Quantity& q) { return integer_text(q.count); });
  if (any(&Quantity::formula)) {
    add("formula", [](const Quantity& q) -> std::string {
      if (!q.formula) return none;
      return *q.formula == q.count ? "equal" : integer_text(*q.formula);
    });
  }
  if (any(&Quantity::bound)) {
    add("/bound", [](const Quantity& q) { return ratio(q.count, q.bound.value_or(0)); });
  }
  if (any(&Quantity::lower_bound)) {
    add("/lower", [](const Quantity& q) {
      return ratio(q.count, static_cast<double>(q.lower_bound.value_or(0)));
    });
  }
}

std::vector<Column> columns_of(const Points& points) {
  std::vector<Column> columns;
  for (const std::string& name : varying(points)) {
    columns.push_back({name, [name](const Point& point) { return symbol_text(point, name); }});
  }
  std::vector<std::string> quantities;
  for (const Point* const point : points) {
    for (const Quantity& q : point->quantities) {
      if (std::find(quantities.begin(), quantities.end(), q.name) == quantities.end()) {
        quantities.push_back(q.name);
      }
    }
  }
  for (const std::string& name : quantities) add_quantity(columns, points, name);
  if (std::any_of(points.begin(), points.end(), [](const Point* p) { return p->predicted_ms; })) {
    columns.push_back({"predicted ms", [](const Point& p) {
                         return p.predicted_ms ? decimal_text(*p.predicted_ms) : none;
                       }});
    columns.push_back({"limit", [](const Point& p) { return p.limit.empty() ? none : p.limit; }});
  }
  columns.push_back({"counts", [](const Point& p) -> std::string {
                       if (!p.refusal.empty()) return "refused";
                       return p.from_n > 0
                                  ? fmt::format("{} from n = {}", p.source, size_text(p.from_n))
                                  : p.source;
                     }});
  return columns;
}

std::string heading(const Points& points) {
  const Point& first = *points.front();
  const std::vector<std::string> changing = varying(points);
  std::vector<std::string> fixed;
  for (const auto& [name, value] : first.symbols) {
    if (name == "k" || std::find(changing.begin(), changing.end(), name) != changing.end())
      continue;
    fixed.push_back(fmt::format("{} = {}", name, size_text(value)));
  }
  std::string text = first.program;
  if (!first.type.empty()) text += " " + first.type;
  text += fmt::format(", {} input", first.input);
  if (first.model == "PRAM") text += ", " + first.machine;
  if (!fixed.empty()) text += fmt::format("; {}", fmt::join(fixed, ", "));
  text += "\n";
  for (const Quantity& q : first.quantities) {
    if (q.stated.empty() || first.model == "PRAM") continue;
    text += fmt::format("  {} = {}\n", q.name, q.stated);
  }
  if (first.model == "PRAM" && !first.quantities.empty()) {
    text += fmt::format("  {}\n", first.quantities.front().stated);
  }
  return text;
}

std::string table_of(const Points& points) {
  const std::vector<Column> columns = columns_of(points);
  std::vector<std::string> header;
  for (const Column& column : columns) header.push_back(column.title);
  std::vector<std::vector<std::string>> rows;
  std::set<std::string> refusals;
  for (const Point* const point : points) {
    std::vector<std::string> row;
    for (const Column& column : columns) row.push_back(column.text(*point));
    rows.push_back(std::move(row));
    if (!point->refusal.empty()) refusals.insert(point->refusal);
  }
  std::string text = heading(points) + agpusim::detail::text_table(header, rows, 0);
  for (const std::string& refusal : refusals) text += fmt::format("refused: {}\n", refusal);
  return text;
}

std::string error_text(const Law& law) {
  if (law.worst < 1e-6) return "exact";
  return fmt::format("{:.2g} %", 100 * law.error);
}

std::string list_of(const std::vector<Law>& laws, std::size_t most) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(most, laws.size()); ++i) {
    texts.push_back(fmt::format("{} ({})", laws[i].text(), error_text(laws[i])));
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

std::string fit_text(const Fit& fit) {
  constexpr std::size_t most = 3;
  if (!fit.law) return fmt::format("  {}: no law: {}\n", fit.quantity, fit.why_not);
  const LawFit& law = *fit.law;
  std::string text =
      fmt::format("  {} ~ {}  ({} on n = {}..{}, fitted to {}..{})\n", fit.quantity,
                  law.best.text(), error_text(law.best), size_text(law.judged_from),
                  size_text(law.judged_to), size_text(law.fitted_from), size_text(law.fitted_to));
  constexpr double poor = 0.1;
  if (law.best.error > poor) {
    text +=
        "    no law of the basis is near: larger sizes, or fewer machines at a time, may help\n";
  }
  if (!law.spellings.empty()) {
    text += fmt::format("    as good here: {}\n", list_of(law.spellings, most));
  }
  for (const Law& rival : law.rivals) {
    const double n = where_they_part(law.best, rival, fit.largest);
    text += fmt::format("    cannot be told from {} ({}) on these sizes; {}\n", rival.text(),
                        error_text(rival),
                        n > 0 ? fmt::format("they differ by 5 % from n = 2^{:.0f} on", std::log2(n))
                              : "they differ by less than 5 % up to n = 2^100");
  }
  if (!law.runners_up.empty()) {
    text += fmt::format("    runners-up: {}\n", list_of(law.runners_up, most));
  }
  if (!fit.stated.empty() && fit.bound) {
    text += fmt::format("    stated: {}; count / bound {:.3g} to {:.3g}, {:+.1f} % a doubling\n",
                        fit.stated, fit.bound->low, fit.bound->high, 100 * fit.bound->drift);
  }
  return text;
}

}  // namespace

std::string to_text(const Result& result) {
  std::string text;
  for (auto begin = result.points.begin(); begin != result.points.end();) {
    const auto end = std::find_if(begin, result.points.end(),
                                  [&](const Point& p) { return !same_series(p, *begin); });
    Points points;
    for (auto it = begin; it != end; ++it) points.push_back(&*it);
    text += (text.empty() ? "" : "\n") + table_of(points);
    for (const Fit& fit : result.fits) {
      if (fit.program != begin->program || fit.type != begin->type || fit.input != begin->input) {
        continue;
      }
      text += fit_text(fit);
    }
    begin = end;
  }
  for (const std::string& note : result.notes) text += "\n" + note + "\n";
  return text;
}

std::string laws_text(const std::vector<Fit>& fits) {
  std::vector<std::vector<std::string>> rows;
  std::int64_t bounds = 0;
  std::int64_t recovered = 0;
  for (const Fit& fit : fits) {
    std::vector<std::string> row = {fit.program, fit.quantity};
    row.push_back(fit.law ? fit.law->best.text() : fit.why_not);
    row.push_back(fit.law ? error_text(fit.law->best) : none);
    row.push_back(fit.stated.empty() ? none : fit.stated);
    if (fit.bound) {
      ++bounds;
      recovered += fit.bound->recovered() ? 1 : 0;
      row.push_back(fmt::format("{:.3g}..{:.3g}", fit.bound->low, fit.bound->high));
      row.push_back(fmt::format("{:+.1f} %", 100 * fit.bound->drift));
      row.emplace_back(fit.bound->recovered() ? "recovered" : "differs");
    } else {
      row.insert(row.end(), {none, none, none});
    }
    rows.push_back(std::move(row));
  }
  return agpusim::detail::text_table(
             {"program", "of", "law", "held out", "stated bound", "count/bound", "a doubling", ""},
             rows, 5) +
         fmt::format("stated bounds: {} of {} recovered\n", recovered, bounds);
}

}  // namespace agpusim::sweep
