#include <fmt/format.h>

#include "agpusim/validation/report/html_page.hpp"
#include "agpusim/validation/report/report.hpp"

#include "embed/page_css.hpp"
#include "embed/report_js.hpp"

namespace agpusim::report {
namespace {

using detail::escaped;

std::string element(const char* name, const std::string& text, const char* attributes = "") {
  return fmt::format("<{0}{2}>{1}</{0}>", name, escaped(text), attributes);
}

/// A paragraph that keeps its lines.
std::string paragraph(const std::string& text) {
  return element("p", text,
                 text.find('\n') == std::string::npos ? "" : " style=\"white-space:pre-line\"") +
         "\n";
}

std::string cell(const char* name, const std::string& text, Format format) {
  return element(name, text, format == Format::text ? "" : " class=\"number\"");
}

std::string table_html(const Table& table) {
  std::string head;
  std::string body;
  const std::vector<std::size_t> shown = shown_columns(table);
  for (const std::size_t i : shown) {
    head += cell("th", table.columns[i].title, table.columns[i].format);
  }
  for (const auto& row : table.rows) {
    body += "<tr>";
    for (const std::size_t i : shown) {
      const Format format = table.columns[i].format;
      body += cell("td", to_text(row[i], format), format);
    }
    body += "</tr>\n";
  }
  return fmt::format(
      "<div "
      "class=\"scroll\"><table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody></table></div>\n",
      head, body);
}

std::string facts_html(const std::vector<Fact>& facts) {
  std::string rows;
  for (const Fact& fact : facts) {
    if (fact.title.empty()) continue;
    rows += "<tr>" + element("th", fact.title, " scope=\"row\"") +
            cell("td", to_text(fact.value, fact.format), fact.format) +
            element("td", fact.meaning) + "</tr>\n";
  }
  if (rows.empty()) return rows;
  return "<div class=\"scroll\"><table><tbody>\n" + rows + "</tbody></table></div>\n";
}

/// `plots`: how many places for plots there are before. web/report.js fills them.
std::string section_html(const Section& section, std::size_t& plots) {
  std::string html;
  if (!section.heading.empty()) html += element("h2", section.heading) + "\n";
  for (const std::string& sentence : section.sentences) html += paragraph(sentence);
  html += facts_html(section.facts);
  for (const Table& table : section.tables) {
    if (table.for_reader && !shown_columns(table).empty()) html += table_html(table);
  }
  for (const Drawing& drawing : section.drawings) {
    html += "<div class=\"scroll\">" + drawing.svg + "</div>\n";
  }
  for (const std::string& remark : section.remarks) html += paragraph(remark);
  for (std::size_t i = 0; i < section.plots.size(); ++i) {
    html += fmt::format("<div data-plot=\"{}\"></div>\n", plots++);
  }
  for (const Section& inner : section.sections) html += section_html(inner, plots);
  return html;
}

}  // namespace

std::string to_html(const Report& report) {
  const std::string title = report.title.empty() ? "agpusim" : report.title;
  std::size_t count = 0;
  const std::string html = section_html(report.body, count);
  if (count > 0) {
    const Value data = {
        {"title", title}, {"html", html}, {"plots", detail::encode(plots_of(report))}};
    return detail::make_page(embed::report_js(), data.dump());
  }
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'\">\n{0}\n<style>\n{1}\n</style>\n</head>\n<body>\n<main>\n{2}\n{3}</main>\n"
      "</body>\n</html>\n",
      element("title", title), embed::page_css(), element("h1", title), html);
}

}  // namespace agpusim::report
