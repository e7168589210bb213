#include "agpusim/commands/sweep/to_report.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/commands/sweep/plots.hpp"
#include "agpusim/validation/io/text_table.hpp"
#include "agpusim/validation/predict/interval.hpp"

namespace agpusim::sweep {
namespace {

using agpusim::detail::integer_text;
using agpusim::detail::size_text;

using report::Column;
using report::Format;
using report::Section;
using report::Value;

Value symbol_of(const Row& point, const std::string& name) {
  const auto symbols = point.run.symbols();
  const auto it = symbols.find(name);
  return it == symbols.end() ? Value() : Value(it->second);
}

/// The symbols that differ between the points, n last.
std::vector<std::string> varying(const Rows& points) {
  std::vector<std::string> names;
  for (const auto& [name, value] : points.front()->run.symbols()) {
    const auto differs = [&name = name, &value = value](const Row* p) {
      return symbol_of(*p, name) != Value(value);
    };
    const bool varies = std::any_of(points.begin(), points.end(), differs);
    if (varies && name != "n" && name != "k") names.push_back(name);
  }
  // The numbers of the machine before the parameters.
  std::stable_partition(names.begin(), names.end(), [](const std::string& name) {
    return name == "p" || name == "b" || name == "M" || name == "V" || name == "w";
  });
  names.emplace_back("n");
  return names;
}

Value ratio(std::int64_t count, double bound) {
  return bound > 0 ? Value(fmt::format("{:.3g}", static_cast<double>(count) / bound)) : Value();
}

void add_quantity(std::vector<Column<Row>>& columns, const Rows& points, const std::string& name) {
  const auto any = [&](auto member) {
    return std::any_of(points.begin(), points.end(), [&](const Row* p) {
      const Quantity* const q = p->find(name);
      return q != nullptr && (q->*member).has_value();
    });
  };
  const auto add = [&](const std::string& title, auto text) {
    columns.push_back({{"", title, Format::right}, [name, text](const Row& point) -> Value {
                         const Quantity* const q = point.find(name);
                         return q == nullptr ? Value() : Value(text(*q));
                       }});
  };
  add(name, [](const Quantity& q) { return integer_text(q.count); });
  if (any(&Quantity::formula)) {
    add("formula", [](const Quantity& q) -> Value {
      if (!q.formula) return nullptr;
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

Value predicted_ms(const Row& row) {
  return row.predicted ? Value(row.predicted->milliseconds) : Value();
}

/// For readers.
std::vector<Column<Row>> columns_of(const Rows& points) {
  std::vector<Column<Row>> columns;
  for (const std::string& name : varying(points)) {
    columns.push_back(
        {{"", name, Format::size}, [name](const Row& point) { return symbol_of(point, name); }});
  }
  const auto add_varying = [&](const char* title, auto value) {
    const auto differs = [&](const Row* p) { return value(*p) != value(*points.front()); };
    if (std::none_of(points.begin(), points.end(), differs)) return;
    columns.push_back({{"", title, Format::right}, value});
  };
  add_varying("seed", [](const Row& row) { return Value(row.run.config.seed); });
  add_varying("rules", [](const Row& row) { return Value(row.run.rules()); });
  add_varying("device", [](const Row& row) { return Value(row.device); });
  for (const std::string& name : quantities_of(points)) {
    const bool bounded = std::any_of(points.begin(), points.end(), [&](const Row* p) {
      const Quantity* const q = p->find(name);
      return q != nullptr && (q->formula || !q->stated.empty());
    });
    if (bounded) add_quantity(columns, points, name);
  }
  columns.push_back({{"", "predicted ms", Format::decimal}, predicted_ms});
  columns.push_back({{"", "90 % interval", Format::right}, [](const Row& p) {
                       return p.predicted ? Value(interval_text(*p.predicted)) : Value();
                     }});
  columns.push_back({{"", "limit", Format::right}, [](const Row& p) {
                       return p.predicted ? Value(p.predicted->limit) : Value();
                     }});
  columns.push_back({{"", "counts", Format::right}, [](const Row& p) -> Value {
                       if (!p.refusal.empty()) return "refused";
                       return p.from_n > 0
                                  ? fmt::format("{} from n = {}", p.source, size_text(p.from_n))
                                  : p.source;
                     }});
  return columns;
}

/// For programs, of all points alike.
const std::vector<Column<Row>>& data_columns() {
  static const std::vector<Column<Row>> all = [] {
    std::vector<Column<Row>> columns;
    const auto add = [&](const char* key, auto value) { columns.push_back({{key, ""}, value}); };
    add("program", [](const Row& row) { return Value(row.run.program); });
    add("model", [](const Row& row) { return Value(row.run.on_pram() ? "PRAM" : "AGPU"); });
    add("algorithm", [](const Row& row) { return Value(row.run.config.algorithm); });
    add("variant", [](const Row& row) { return Value(row.run.config.variant); });
    add("type", [](const Row& row) { return Value(row.run.config.type); });
    add("input", [](const Row& row) { return Value(row.run.config.input); });
    add("seed", [](const Row& row) { return Value(row.run.config.seed); });
    add("rules", [](const Row& row) { return Value(row.run.rules()); });
    const std::set<std::string> machine = {"p", "b", "M", "w", "V", "k", "n"};
    for (const char* const name : {"p", "b", "M", "w", "V", "k", "n"}) {
      columns.push_back({{name, ""}, [name](const Row& p) { return symbol_of(p, name); }});
    }
    columns.push_back({{"parameters", ""}, [machine](const Row& p) {
                         Value parameters = Value::object();
                         for (const auto& [name, value] : p.run.symbols()) {
                           if (!machine.contains(name)) parameters[name] = value;
                         }
                         return parameters;
                       }});
    add("refused", [](const Row& row) { return Value(row.refusal); });
    add("counts", [](const Row& row) { return Value(row.source); });
    columns.push_back({{"extrapolated_from_n", ""},
                       [](const Row& p) { return p.from_n > 0 ? Value(p.from_n) : Value(); }});
    for (const std::string name : {"T", "Q", "steps", "processors", "work"}) {
      const auto add_part = [&](const char* part, auto get) {
        columns.push_back({{name + part, ""}, [name, get](const Row& p) {
                             const Quantity* const q = p.find(name);
                             return q == nullptr ? Value() : get(*q);
                           }});
      };
      const auto optional = [](auto member) {
        return [member](const Quantity& q) { return report::value_or_null(q.*member); };
      };
      add_part("", [](const Quantity& q) { return Value(q.count); });
      add_part("_formula", optional(&Quantity::formula));
      add_part("_stated", [](const Quantity& q) { return Value(q.stated); });
      add_part("_bound", optional(&Quantity::bound));
      add_part("_lower_bound", optional(&Quantity::lower_bound));
    }
    for (const char* const name :
         {"requests", "sectors", "wavefronts", "conflicts", "idle_lanes"}) {
      columns.push_back({{name, ""}, [name](const Row& p) {
                           const Quantity* const q = p.find(name);
                           return q == nullptr ? Value() : Value(q->count);
                         }});
    }
    columns.push_back({{"phases", ""}, [](const Row& p) {
                         const bool counted = p.refusal.empty() && !p.run.on_pram();
                         return counted ? Value(p.phases) : Value();
                       }});
    columns.push_back({{"predicted_ms", ""}, predicted_ms});
    add("predicted_low_ms",
        [](const Row& row) { return row.predicted ? Value(row.predicted->low) : Value(); });
    add("predicted_high_ms",
        [](const Row& row) { return row.predicted ? Value(row.predicted->high) : Value(); });
    add("limit", [](const Row& row) { return Value(row.predicted ? row.predicted->limit : ""); });
    add("device", [](const Row& row) { return Value(row.device); });
    return columns;
  }();
  return all;
}

void add_heading(Section& section, const Rows& points) {
  const auto counted =
      std::ranges::find_if(points, [](const Row* row) { return !row->quantities.empty(); });
  const Row& first = counted == points.end() ? *points.front() : **counted;
  const std::vector<std::string> changing = varying(points);
  std::vector<std::string> fixed;
  for (const auto& [name, value] : first.run.symbols()) {
    if (name == "k" || std::find(changing.begin(), changing.end(), name) != changing.end())
      continue;
    fixed.push_back(fmt::format("{} = {}", name, size_text(value)));
  }
  std::string text = first.run.program;
  if (!first.run.config.type.empty()) text += " " + first.run.config.type;
  if (!first.run.config.input.empty()) text += fmt::format(", {} input", first.run.config.input);
  if (first.run.on_pram()) text += ", " + first.run.machine();
  if (!fixed.empty()) text += fmt::format("; {}", fmt::join(fixed, ", "));
  section.heading = std::move(text);
  for (const Quantity& q : first.quantities) {
    if (q.stated.empty() || first.run.on_pram()) continue;
    section.sentences.push_back(fmt::format("  {} = {}", q.name, q.stated));
  }
  if (first.run.on_pram() && !first.quantities.empty()) {
    section.sentences.push_back("  " + first.quantities.front().stated);
  }
}

report::Table table_of(const Rows& points) {
  std::vector<Row> rows;
  for (const Row* const point : points) rows.push_back(*point);
  report::Table table = report::table("", columns_of(points), rows);
  table.without_empty_columns = true;
  return table;
}

std::string error_text(double error, double worst) {
  return worst < 1e-6 ? "exact" : fmt::format("{:.2g} %", 100 * error);
}

std::string error_text(const Law& law) {
  return law.holds() ? error_text(law.error, law.worst)
                     : fmt::format("up to {:.2g} %", 100 * law.off);
}
std::string error_text(const FlatForm& form) { return error_text(form.error, form.error); }

/// A line of those that hold, or none.
std::string list_of(const char* title, const std::vector<Law>& laws) {
  constexpr std::size_t most = 3;
  std::vector<std::string> texts;
  for (const Law& law : laws) {
    if (!law.holds() || texts.size() == most) continue;
    texts.push_back(fmt::format("{} ({})", law.text(), error_text(law)));
  }
  return texts.empty() ? "" : fmt::format("    {}: {}\n", title, fmt::join(texts, "; "));
}

constexpr const char* no_law = "none is within 2 % of every point; near:";

/// What is said of a law, without the end of its last line.
std::string fit_text(const Fit& fit) {
  if (!fit.law) return fmt::format("  {}: no law: {}", fit.quantity, fit.why_not);
  const LawFit& law = *fit.law;
  const FlatForm* const proved = fit.proved();
  const bool holds = fit.holds();
  std::string text = "  " + fit.quantity + (holds ? " ~" : std::string(": ") + no_law);
  if (proved != nullptr) {
    text += fmt::format(" {}  ({} on n = {}..{}, where count / bound is flat)\n", proved->text,
                        error_text(*proved), size_text(proved->from), size_text(law.judged_to));
    if (law.best.holds()) text += "    fitted:";
  }
  if (law.best.holds()) {
    text += fmt::format(" {}  ({} on n = {}..{}, fitted to {}..{})\n", law.best.text(),
                        error_text(law.best), size_text(law.judged_from), size_text(law.judged_to),
                        size_text(law.fitted_from), size_text(law.fitted_to));
  } else if (proved == nullptr) {
    text += fmt::format(" {}  ({} on n = {}..{})\n", law.best.text(), error_text(law.best),
                        size_text(law.fitted_from), size_text(law.judged_to));
  }
  if (holds) {
    text += list_of("as good here", law.spellings);
    for (const Law& rival : law.rivals) {
      if (!rival.holds()) continue;
      const double n = where_they_part(law.best, rival, fit.largest);
      text += fmt::format(
          "    cannot be told from {} ({}) on these sizes; {}\n", rival.text(), error_text(rival),
          n > 0 ? fmt::format("they differ by 5 % from n = 2^{:.0f} on", std::log2(n))
                : "they differ by less than 5 % up to n = 2^100");
    }
    text += list_of("runners-up", law.runners_up);
  }
  if (!fit.stated.empty() && fit.bound) {
    text += fmt::format("    stated: {}; count / bound {:.3g} to {:.3g}, {:+.1f} % a doubling\n",
                        fit.stated, fit.bound->low, fit.bound->high, 100 * fit.bound->drift);
  }
  text.pop_back();
  return text;
}

Value encode(const Law& law) {
  Value terms = Value::array();
  for (const Part& part : law.parts) {
    terms.push_back({{"term", part.term.text}, {"coefficient", part.coefficient}});
  }
  return {{"law", law.text()},
          {"leading_term", law.lead().text},
          {"terms", std::move(terms)},
          {"held_out_rms_error", law.error},
          {"held_out_largest_error", law.worst},
          {"largest_error", law.off}};
}

Value encode(const std::vector<Law>& laws) {
  Value json = Value::array();
  for (const Law& law : laws) json.push_back(encode(law));
  return json;
}

/// What is printed first, of a fit with a law.
std::string first_text(const Fit& fit) {
  const FlatForm* const proved = fit.proved();
  return proved != nullptr ? proved->text : fit.law->best.text();
}

/// Column of a number that a fit with a law has.
template <class Get>
Column<Fit> of_law(const char* key, Get get) {
  return {{key, ""}, [get](const Fit& fit) { return fit.law ? Value(get(*fit.law)) : Value(); }};
}

/// A line for each law: for programs of all, for readers of those with a stated bound and of times.
report::Table laws_table(const std::string& key, std::vector<Fit> fits) {
  const bool for_reader = key.empty();
  if (for_reader) {
    std::erase_if(
        fits, [](const Fit& fit) { return fit.stated.empty() && fit.quantity != time_quantity; });
  }
  std::vector<Column<Fit>> columns = {
      {{"program", "program"}, [](const Fit& fit) { return fit.program; }},
      {{"type", ""}, [](const Fit& fit) { return fit.type; }},
      {{"input", ""}, [](const Fit& fit) { return fit.input; }},
      {{"quantity", "of"}, [](const Fit& fit) { return fit.quantity; }},
      {{"law", ""}, [](const Fit& fit) { return fit.holds() ? Value(first_text(fit)) : Value(); }},
      {{"", "law"},
       [](const Fit& fit) {
         if (!fit.law) return fit.why_not;
         return (fit.holds() ? "" : no_law + std::string(" ")) + first_text(fit);
       }},
      {{"", "error"},
       [](const Fit& fit) {
         if (const FlatForm* const proved = fit.proved()) return Value(error_text(*proved));
         return fit.law ? Value(error_text(fit.law->best)) : Value();
       }},
      {{"", "from n", Format::size},
       [](const Fit& fit) {
         if (const FlatForm* const proved = fit.proved()) return Value(proved->from);
         return fit.law ? Value(fit.law->fitted_from) : Value();
       }},
      {{"stated_bound", "stated bound"},
       [](const Fit& fit) { return fit.stated.empty() ? Value() : Value(fit.stated); }},
      {{"machines", ""}, [](const Fit& fit) { return fit.machines; }},
      {{"extrapolated_points_left_out", ""}, [](const Fit& fit) { return fit.left_out; }},
      {{"why_not", ""},
       [](const Fit& fit) {
         if (fit.holds()) return Value();
         return Value(fit.law ? "no law of the basis is within 2 % of every point" : fit.why_not);
       }},
      of_law("fitted_from_n", [](const LawFit& law) { return law.fitted_from; }),
      of_law("fitted_to_n", [](const LawFit& law) { return law.fitted_to; }),
      of_law("judged_from_n", [](const LawFit& law) { return law.judged_from; }),
      of_law("judged_to_n", [](const LawFit& law) { return law.judged_to; }),
      of_law("points", [](const LawFit& law) { return law.points; }),
      of_law("best", [](const LawFit& law) { return encode(law.best); }),
      of_law("as_good_of_the_same_growth", [](const LawFit& law) { return encode(law.spellings); }),
      of_law("as_good_of_another_growth", [](const LawFit& law) { return encode(law.rivals); }),
      of_law("runners_up", [](const LawFit& law) { return encode(law.runners_up); })};
  const auto bound = [&](report::Name name, auto get) {
    columns.push_back({std::move(name), [get](const Fit& fit) {
                         return fit.bound ? Value(get(*fit.bound)) : Value();
                       }});
  };
  bound({"", "count/bound", Format::right}, [](const BoundCheck& check) {
    return fmt::format("{:.3g}..{:.3g}", check.low, check.high);
  });
  columns.push_back({{"flat_from_n", ""}, [](const Fit& fit) {
                       return fit.bound && fit.bound->flat ? Value(fit.bound->flat->from) : Value();
                     }});
  bound({"count_over_bound_least", ""}, [](const BoundCheck& check) { return check.low; });
  bound({"count_over_bound_most", ""}, [](const BoundCheck& check) { return check.high; });
  bound({"drift_per_doubling", "a doubling", Format::signed_percent},
        [](const BoundCheck& check) { return check.drift; });
  bound({"recovered", ""}, [](const BoundCheck& check) { return check.recovered(); });
  bound({"", "the bound is"},
        [](const BoundCheck& check) { return check.recovered() ? "recovered" : "not"; });
  report::Table table = report::table(key, columns, fits);
  table.for_reader = for_reader;
  return table;
}

std::string recovered_text(const std::vector<Fit>& fits) {
  const auto bounds =
      std::count_if(fits.begin(), fits.end(), [](const Fit& fit) { return fit.bound.has_value(); });
  const auto recovered = std::count_if(
      fits.begin(), fits.end(), [](const Fit& fit) { return fit.bound && fit.bound->recovered(); });
  return fmt::format("stated bounds: {} of {} recovered", recovered, bounds);
}

/// "scan:sum against reduce:ordered, n = 2^10 to 2^20"; of many programs their number.
std::string page_title(const std::vector<Row>& rows) {
  constexpr std::size_t most_named = 4;
  if (rows.empty()) return {};
  std::vector<std::string> names;
  std::int64_t least = rows.front().n();
  std::int64_t most = least;
  for (const Row& row : rows) {
    if (names.empty() || names.back() != row.run.program) names.push_back(row.run.program);
    least = std::min(least, row.n());
    most = std::max(most, row.n());
  }
  const std::string who = names.size() > most_named
                              ? fmt::format("{} programs", names.size())
                              : fmt::format("{}", fmt::join(names, " against "));
  return fmt::format("{}, n = {}{}", who, size_text(least),
                     least == most ? "" : " to " + size_text(most));
}

/// The points of each program with its laws.
std::vector<Section> programs(const Result& result) {
  std::vector<Section> sections(1);
  sections.front().plots = common_plot(result.rows);
  const bool each_has_plots = sections.front().plots.empty();
  for (auto begin = result.rows.begin(); begin != result.rows.end();) {
    const auto end = std::find_if(begin, result.rows.end(),
                                  [&](const Row& p) { return !same_series(p, *begin); });
    Rows points;
    std::set<std::string> refusals;
    for (auto it = begin; it != end; ++it) {
      points.push_back(&*it);
      if (!it->refusal.empty()) refusals.insert("refused: " + it->refusal);
    }
    Section& section = sections.emplace_back();
    add_heading(section, points);
    section.tables = {table_of(points)};
    if (each_has_plots) section.plots = {plot_of(points)};
    section.remarks.assign(refusals.begin(), refusals.end());
    for (const Fit& fit : result.fits) {
      if (fit.program == begin->run.program && fit.type == begin->run.config.type &&
          fit.input == begin->run.config.input) {
        section.remarks.push_back(fit_text(fit));
      }
    }
    begin = end;
  }
  return sections;
}

/// What the programs cost at the largest n.
report::Answer largest_points(const std::vector<Row>& rows) {
  constexpr std::size_t most_parts = 4;
  std::int64_t n = 0;
  for (const Row& row : rows) n = std::max(n, row.run.config.n);
  std::vector<std::string> parts;
  for (const Row& row : rows) {
    if (row.run.config.n != n || row.quantities.empty() || parts.size() == most_parts) continue;
    const Quantity& first = row.quantities.front();
    parts.push_back(
        fmt::format("{} = {} of {}", first.name, integer_text(first.count), row.run.program));
  }
  if (parts.empty()) return {};
  return {fmt::format("At n = {}: {}.", integer_text(n), fmt::join(parts, ", "))};
}

}  // namespace

report::Report to_report(const Result& result, bool laws_alone) {
  report::Report report;
  report.page_title = page_title(result.rows);
  report.answer = largest_points(result.rows);
  Section data;
  data.tables = {report::table("points", data_columns(), result.rows)};
  data.tables.front().for_reader = false;
  data.tables.front().csv = true;
  data.facts = {{{"notes", ""}, result.notes}};
  if (!laws_alone) report.body.sections = programs(result);
  if (!result.fits.empty()) {
    data.tables.push_back(laws_table("fits", result.fits));
    if (laws_alone) {
      data.tables.push_back(laws_table("", result.fits));
      data.remarks = {recovered_text(result.fits)};
    }
  }
  report.body.sections.push_back(std::move(data));
  if (laws_alone) return report;
  for (const std::string& note : result.notes) {
    report.body.sections.emplace_back().sentences = {note};
  }
  return report;
}

}  // namespace agpusim::sweep
