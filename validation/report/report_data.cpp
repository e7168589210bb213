#include "agpusim/validation/report/report_data.hpp"

#include <stdexcept>

#include "agpusim/validation/report/version.hpp"

namespace agpusim::report {
namespace {

/// Adds what a section holds to the object that it belongs to.
void add_members(Value& object, const Section& section) {
  for (const Fact& fact : section.facts) {
    if (!fact.key.empty()) object[fact.key] = fact.value;
  }
  for (const Table& table : section.tables) {
    if (!table.key.empty()) object[table.key] = rows_json(table);
  }
  for (const Section& inner : section.sections) {
    if (inner.key.empty()) {
      add_members(object, inner);
      continue;
    }
    Value members = Value::object();
    add_members(members, inner);
    if (inner.list) {
      object[inner.key].push_back(std::move(members));
    } else {
      object[inner.key] = std::move(members);
    }
  }
}

void add_plots(std::vector<detail::Plot>& plots, const Section& section) {
  plots.insert(plots.end(), section.plots.begin(), section.plots.end());
  for (const Section& inner : section.sections) add_plots(plots, inner);
}

std::string quoted(const std::string& text, const char* separators = ",\"\r\n") {
  if (text.find_first_of(separators) == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

/// A line of a CSV table: the cells, in quotes where they hold a separator (RFC 4180), and "\n".
std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) line += (i == 0 ? "" : ",") + quoted(cells[i]);
  return line + '\n';
}

std::string csv_text(const Value& value) {
  if (value.is_null()) return {};
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_structured()) return value.dump();
  std::string text;
  for (const auto& [key, item] : value.items()) {
    if (!text.empty()) text += ";";
    const std::string inner = csv_text(item);
    text += value.is_object()  ? key + "=" + inner
            : inner.empty()    ? "\"\""
            : item.is_string() ? quoted(inner, " ;\"")
                               : inner;
  }
  return text;
}

/// A table as its lines.
struct Csv {
  std::vector<std::string> header;
  std::string lines;

  void add(const Section& section, std::vector<const Fact*> facts) {
    for (const Fact& fact : section.facts) {
      if (!fact.csv.empty()) facts.push_back(&fact);
    }
    for (const Table& table : section.tables) {
      if (table.csv) add(table, facts);
    }
    for (const Section& inner : section.sections) add(inner, facts);
  }

  void add(const Table& table, const std::vector<const Fact*>& facts) {
    std::vector<std::string> names;
    for (const Fact* fact : facts) names.push_back(fact->csv);
    for (const Name& column : table.columns) {
      if (!column.key.empty()) names.push_back(column.key);
    }
    if (!header.empty() && header != names) throw std::logic_error("CSV of unequal tables");
    header = names;
    for (const auto& row : table.rows) {
      std::vector<std::string> cells;
      for (const Fact* fact : facts) cells.push_back(csv_text(fact->value));
      for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (!table.columns[i].key.empty()) cells.push_back(csv_text(row[i]));
      }
      lines += csv_line(cells);
    }
  }
};

Value json_of(const Report& report) {
  Value json = {{"agpusim", version()}};
  add_members(json, report.body);
  if (report.json_plots) json["plots"] = detail::encode(plots_of(report));
  return json;
}

}  // namespace

Value rows_json(const Table& table) {
  Value rows = Value::array();
  for (const auto& row : table.rows) {
    Value object = Value::object();
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (!table.columns[i].key.empty()) object[table.columns[i].key] = row[i];
    }
    rows.push_back(std::move(object));
  }
  return rows;
}

std::vector<detail::Plot> plots_of(const Report& report) {
  std::vector<detail::Plot> plots;
  add_plots(plots, report.body);
  return plots;
}

// A compiler's words, or the name of a file, need not be UTF-8.
std::string to_json(const Report& report, int indent) {
  return json_of(report).dump(indent, ' ', false, Value::error_handler_t::replace) + "\n";
}

std::string to_csv(const Report& report) {
  Csv csv;
  csv.add(report.body, {});
  return csv_line(csv.header) + csv.lines;
}

}  // namespace agpusim::report
