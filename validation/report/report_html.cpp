#include "agpusim/validation/report/html_page.hpp"
#include "agpusim/validation/report/report.hpp"
#include "agpusim/validation/report/version.hpp"

#include "embed/report_js.hpp"

// What web/report.js shows: values as text and HTML print them, with the number where it sorts.
namespace agpusim::report {
namespace {

Value encode(const Fact& fact) {
  return {{"title", fact.title},
          {"value", to_text(fact.value, fact.format)},
          {"meaning", fact.meaning},
          {"card", fact.card}};
}

Value encode(const Table& table) {
  const std::vector<std::size_t> shown = shown_columns(table);
  Value columns = Value::array();
  for (const std::size_t i : shown) {
    const Name& name = table.columns[i];
    const bool code = name.format == Format::code;
    columns.push_back({{"title", name.title},
                       {"number", name.format != Format::text && !code},
                       {"code", code},
                       {"bar", name.bar}});
  }
  Value rows = Value::array();
  for (const auto& row : table.rows) {
    Value cells = Value::array();
    for (const std::size_t i : shown) {
      Value text = to_text(row[i], table.columns[i].format);
      cells.push_back(row[i].is_number() ? Value::array({row[i], std::move(text)})
                                         : Value::array({std::move(text)}));
    }
    rows.push_back(std::move(cells));
  }
  return {{"what", table.what}, {"columns", std::move(columns)}, {"rows", std::move(rows)}};
}

Value encode(const Section& section) {
  Value facts = Value::array();
  for (const Fact& fact : section.facts) {
    if (!fact.title.empty()) facts.push_back(encode(fact));
  }
  Value tables = Value::array();
  for (const Table& table : section.tables) {
    if (table.for_reader && !shown_columns(table).empty()) tables.push_back(encode(table));
  }
  Value drawings = Value::array();
  for (const Drawing& drawing : section.drawings) drawings.push_back(drawing.svg);
  Value sections = Value::array();
  for (const Section& inner : section.sections) sections.push_back(encode(inner));
  return {{"heading", section.heading},      {"sentences", section.sentences},
          {"facts", std::move(facts)},       {"tables", std::move(tables)},
          {"drawings", std::move(drawings)}, {"plots", detail::encode(section.plots)},
          {"remarks", section.remarks},      {"sections", std::move(sections)}};
}

}  // namespace

std::string to_html(const Report& report) {
  const std::string& title = report.title.empty() ? report.page_title : report.title;
  const Value data = {{"agpusim", version()},
                      {"title", title.empty() ? "agpusim" : title},
                      {"body", encode(report.body)}};
  return detail::make_page(embed::report_js(),
                           data.dump(-1, ' ', false, Value::error_handler_t::replace));
}

}  // namespace agpusim::report
