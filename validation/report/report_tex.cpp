#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "agpusim/validation/report/for_print.hpp"
#include "agpusim/validation/report/version.hpp"

namespace agpusim::report {
namespace {

/// What TeX reads otherwise than it looks, beside what a backslash protects. Behind the end of a
/// line "[" and "*" would be arguments.
constexpr const char* spellings[][2] = {{"\\", "\\textbackslash{}"},
                                        {"~", "\\textasciitilde{}"},
                                        {"^", "\\textasciicircum{}"},
                                        {"`", "\\textasciigrave{}"},
                                        {"<", "\\textless{}"},
                                        {">", "\\textgreater{}"},
                                        {"|", "\\textbar{}"},
                                        {"\"", "''"},
                                        {"[", "{[}"},
                                        {"*", "{*}"},
                                        {"--", "-{}-"},
                                        {"\n", " "},
                                        {"·", "$\\cdot$"},
                                        {"⌈", "$\\lceil$"},
                                        {"⌉", "$\\rceil$"},
                                        {"²", "$^2$"},
                                        {"Φ", "$\\Phi$"}};

std::string escaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    if (std::string_view("{}$&#_%").find(text[0]) != std::string_view::npos) result += '\\';
    std::string_view from = text.substr(0, 1);
    std::string_view to = from;
    for (const auto& [letter, spelling] : spellings) {
      if (text.starts_with(letter)) from = letter, to = spelling;
    }
    result += to;
    text.remove_prefix(from.size());
  }
  return result;
}

std::string cell(const Value& value, Format format) {
  const std::string text = to_text(value, format);
  // A power of two as sizes are printed; a minus sign in place of a hyphen.
  if (format == Format::size && text.starts_with("2^")) return "$2^{" + text.substr(2) + "}$";
  if (value.is_number() && text.starts_with('-')) return "$-$" + escaped(text.substr(1));
  return escaped(text);
}

/// Lines behind %, which a heading must not leave.
std::string comment(const std::string& text) {
  std::string result;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) result += "% " + line + "\n";
  return result;
}

std::string line(const std::vector<std::string>& cells) {
  return fmt::format("{} \\\\\n", fmt::join(cells, " & "));
}

std::string tabular(const Table& table) {
  const std::vector<std::size_t> shown = shown_columns(table);
  std::string sides;
  std::vector<std::string> titles;
  std::string rows;
  for (const std::size_t i : shown) {
    const Format format = table.columns[i].format;
    sides += format == Format::text || format == Format::code ? 'l' : 'r';
    titles.push_back(escaped(table.columns[i].title));
  }
  for (const auto& row : table.rows) {
    std::vector<std::string> cells;
    for (const std::size_t i : shown) cells.push_back(cell(row[i], table.columns[i].format));
    rows += line(cells);
  }
  return fmt::format("\\begin{{tabular}}{{{}}}\n\\toprule\n{}\\midrule\n{}\\bottomrule\n", sides,
                     line(titles), rows) +
         "\\end{tabular}\n";
}

std::string tables_of(const Section& section) {
  std::string text;
  if (!section.heading.empty()) text += "\n" + comment(section.heading);
  for (const Table& table : section.tables) {
    if (table.for_reader && !shown_columns(table).empty()) text += "\n" + tabular(table);
  }
  for (const std::string& remark : section.remarks) text += "\n" + comment(remark);
  for (const Section& inner : section.sections) text += tables_of(inner);
  return text;
}

}  // namespace

std::string to_tex(const Report& report) {
  const std::string& title = report.title.empty() ? report.page_title : report.title;
  return comment(fmt::format("agpusim {}; \\usepackage{{booktabs}}\n{}", version(), title)) +
         tables_of(report.body);
}

}  // namespace agpusim::report
