#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "agpusim/validation/io/text_table.hpp"
#include "agpusim/validation/io/units.hpp"
#include "agpusim/validation/report/report.hpp"

namespace agpusim::report {
namespace {

std::string joined(const Value& list) {
  std::string text;
  for (const Value& item : list) {
    text += (text.empty() ? "" : ", ") + to_text(item, Format::text);
  }
  return text.empty() ? "-" : text;
}

std::string number_text(const Value& value, Format format) {
  const auto real = value.get<double>();
  switch (format) {
    case Format::text:
    case Format::code:
    case Format::right:
    case Format::plain:
      return value.is_number_float() ? fmt::format("{}", real) : value.dump();
    case Format::integer:
      return detail::integer_text(value.get<std::int64_t>());
    case Format::size:
      return detail::size_text(value.get<std::int64_t>());
    case Format::decimal:
      return detail::decimal_text(real);
    case Format::one_digit:
      return fmt::format("{:.1f}", real);
    case Format::two_digits:
      return fmt::format("{:.2f}", real);
    case Format::three_digits:
      return fmt::format("{:.3f}", real);
    case Format::four_digits:
      return fmt::format("{:.4f}", real);
    case Format::percent:
      return detail::percent_text(real);
    case Format::signed_percent:
      return detail::signed_percent_text(real);
    case Format::seconds:
      return detail::seconds_text(real);
    case Format::bytes:
      return detail::bytes_text(value.get<std::int64_t>());
  }
  return {};
}

/// The first two cells of a row in their place say how many are left out.
void leave_out_middle(std::vector<std::vector<std::string>>& rows, const Table& table) {
  if (table.most == 0 || rows.size() <= table.most) return;
  const auto half = static_cast<std::ptrdiff_t>(table.most / 2);
  std::vector<std::string> gap(rows.front().size());
  gap.at(0) = "...";
  gap.at(1) = fmt::format("({} {})", rows.size() - 2 * (table.most / 2), table.what);
  rows.erase(rows.begin() + half, rows.end() - half);
  rows.insert(rows.begin() + half, gap);
}

std::string table_text(const Table& table) {
  const std::vector<std::size_t> shown = shown_columns(table);
  std::vector<std::string> header;
  std::vector<bool> left;
  for (const std::size_t i : shown) {
    header.push_back(table.columns[i].title);
    left.push_back(table.columns[i].format == Format::text ||
                   table.columns[i].format == Format::code);
  }
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : table.rows) {
    auto& cells = rows.emplace_back();
    for (const std::size_t i : shown) cells.push_back(to_text(row[i], table.columns[i].format));
  }
  leave_out_middle(rows, table);
  return detail::text_table(header, rows, left);
}

std::string fact_text(const Fact& fact) {
  const std::string value = to_text(fact.value, fact.format);
  if (fact.format != Format::text) return detail::line(fact.title, value, fact.meaning);
  return fmt::format("{:<12} {}{}\n", fact.title, value,
                     fact.meaning.empty() ? "" : " " + fact.meaning);
}

std::string section_text(const Section& section) {
  std::vector<std::string> blocks;
  std::string block;
  if (!section.heading.empty()) block += section.heading + "\n";
  for (const std::string& sentence : section.sentences) block += sentence + "\n";
  bool facts = false;
  for (const Fact& fact : section.facts) {
    if (fact.title.empty()) continue;
    block += fact_text(fact);
    facts = true;
  }
  for (const Drawing& drawing : section.drawings) block += drawing.text;
  for (const Table& table : section.tables) {
    if (!table.for_reader || shown_columns(table).empty()) continue;
    if (facts) block += "\n";
    block += table_text(table);
  }
  for (const std::string& remark : section.remarks) block += remark + "\n";
  if (!block.empty()) blocks.push_back(block);
  for (const Section& inner : section.sections) {
    if (std::string text = section_text(inner); !text.empty()) blocks.push_back(std::move(text));
  }
  std::string text;
  for (const std::string& one : blocks) text += (text.empty() ? "" : "\n") + one;
  return text;
}

}  // namespace

std::vector<std::size_t> shown_columns(const Table& table) {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < table.columns.size() && !table.rows.empty(); ++i) {
    const bool empty = table.without_empty_columns &&
                       std::all_of(table.rows.begin(), table.rows.end(),
                                   [&](const auto& row) { return row[i].is_null(); });
    if (!table.columns[i].title.empty() && !empty) shown.push_back(i);
  }
  return shown;
}

std::string to_text(const Value& value, Format format) {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_array()) return joined(value);
  return number_text(value, format);
}

std::string to_text(const Report& report) {
  const std::string title = report.title.empty() ? "" : report.title + "\n";
  return title + section_text(report.body);
}

}  // namespace agpusim::report
