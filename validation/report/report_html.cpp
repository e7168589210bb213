#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "agpusim/model/source_text.hpp"
#include "agpusim/validation/io/units.hpp"
#include "agpusim/validation/report/html_page.hpp"
#include "agpusim/validation/report/report.hpp"
#include "agpusim/validation/report/version.hpp"

#include "embed/report_js.hpp"

// What web/report.js shows: values as text and HTML print them, with the number where it sorts.
namespace agpusim::report {
namespace {

/// Lines of source files that rows stand at, with some around them.
class Sources {
 public:
  explicit Sources(const Report& report) : text_(report.folders) {
    for (const std::string& file : report.files) {
      for (std::size_t line = 1; line <= text_.lines(file).size(); ++line) place(file, line);
    }
  }

  /// Number of the file and the line of each row, null where the file cannot be read; null for a
  /// table without these columns.
  Value places(const Table& table) {
    const auto column = [&](const char* key) {
      return std::find_if(table.columns.begin(), table.columns.end(),
                          [&](const Name& name) { return name.key == key; }) -
             table.columns.begin();
    };
    const auto file = static_cast<std::size_t>(column("file"));
    const auto line = static_cast<std::size_t>(column("line"));
    if (std::max(file, line) >= table.columns.size()) return nullptr;
    Value places = Value::array();
    for (const auto& row : table.rows) places.push_back(place(row[file], row[line]));
    return places;
  }

  /// The files with their lines, in the order of their numbers.
  [[nodiscard]] Value encode() {
    Value files = Value::array();
    for (const auto& [file, numbers] : shown_) {
      const std::vector<std::string>& all = text_.lines(file);
      Value lines = Value::array();
      for (const std::size_t number : numbers) lines.push_back({number, all[number - 1]});
      files.push_back({{"file", file_text(file)}, {"lines", std::move(lines)}});
    }
    return files;
  }

 private:
  Value place(const Value& name, const Value& number) {
    constexpr std::size_t around = 3;
    if (!name.is_string() || !number.is_number()) return nullptr;
    const auto file = name.get<std::string>();
    const auto line = number.get<std::size_t>();
    const std::size_t all = text_.lines(file).size();
    if (line == 0 || line > all) return nullptr;
    auto at = std::find_if(shown_.begin(), shown_.end(),
                           [&](const auto& one) { return one.first == file; });
    if (at == shown_.end()) at = shown_.insert(at, {file, {}});
    const std::size_t first = line > around ? line - around : 1;
    for (std::size_t i = first; i <= std::min(all, line + around); ++i) at->second.insert(i);
    return {at - shown_.begin(), line};
  }

  SourceText text_;
  std::vector<std::pair<std::string, std::set<std::size_t>>> shown_;
};

std::string shown_text(const Value& value, Format format) {
  constexpr std::int64_t byte = 8;
  if (format != Format::bits) return to_text(value, format);
  return detail::bytes_text(value.get<std::int64_t>() / byte);
}

Value encode(const Fact& fact) {
  return {{"title", fact.title},     {"value", shown_text(fact.value, fact.format)},
          {"meaning", fact.meaning}, {"card", fact.card},
          {"note", fact.note},       {"alarm", fact.alarm}};
}

Value encode(const Table& table, Sources& sources) {
  const std::vector<std::size_t> shown = shown_columns(table);
  Value columns = Value::array();
  for (const std::size_t i : shown) {
    const Name& name = table.columns[i];
    const bool code = name.format == Format::code;
    columns.push_back({{"title", name.title},
                       {"number", name.format != Format::text && !code},
                       {"sum", name.format == Format::integer},
                       {"code", code},
                       {"bar", name.bar},
                       {"alarm", name.alarm}});
  }
  Value rows = Value::array();
  for (const auto& row : table.rows) {
    Value cells = Value::array();
    for (const std::size_t i : shown) {
      Value text = shown_text(row[i], table.columns[i].format);
      cells.push_back(row[i].is_number() ? Value::array({row[i], std::move(text)})
                                         : Value::array({std::move(text)}));
    }
    rows.push_back(std::move(cells));
  }
  return {{"what", table.what},
          {"columns", std::move(columns)},
          {"rows", std::move(rows)},
          {"places", sources.places(table)},
          {"links", table.links}};
}

Value encode(const Section& section, Sources& sources) {
  Value facts = Value::array();
  for (const Fact& fact : section.facts) {
    if (!(fact.title + fact.card).empty()) facts.push_back(encode(fact));
  }
  Value tables = Value::array();
  for (const Table& table : section.tables) {
    if (table.for_reader && !shown_columns(table).empty()) {
      tables.push_back(encode(table, sources));
    }
  }
  Value drawings = Value::array();
  for (const Drawing& drawing : section.drawings) drawings.push_back(drawing.svg);
  Value sections = Value::array();
  for (const Section& inner : section.sections) sections.push_back(encode(inner, sources));
  return {{"heading", section.heading},      {"sentences", section.sentences},
          {"facts", std::move(facts)},       {"tables", std::move(tables)},
          {"drawings", std::move(drawings)}, {"plots", detail::encode(section.plots)},
          {"remarks", section.remarks},      {"sections", std::move(sections)}};
}

}  // namespace

std::string to_html(const Report& report) {
  const std::string& title = report.title.empty() ? report.page_title : report.title;
  Sources sources(report);
  Value parts = Value::array();
  for (const auto& [name, part] : report.answer.parts) parts.push_back({name, part});
  Value data = {{"agpusim", version()},
                {"title", title.empty() ? "agpusim" : title},
                {"answer", {{"sentence", report.answer.sentence}, {"parts", std::move(parts)}}},
                {"body", encode(report.body, sources)}};
  data["sources"] = sources.encode();
  return detail::make_page(embed::report_js(),
                           data.dump(-1, ' ', false, Value::error_handler_t::replace));
}

}  // namespace agpusim::report
