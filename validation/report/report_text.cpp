#include <algorithm>
#include <cstddef>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

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
    case Format::bits:
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

/// The first two cells of a row in their place say how many are left out of the middle, or a line
/// below the table how many of the end.
std::string leave_out(std::vector<std::vector<std::string>>& rows, const Table& table) {
  if (table.most == 0 || rows.size() <= table.most) return {};
  if (!table.more.empty()) {
    const std::size_t others = rows.size() - table.most;
    rows.resize(table.most);
    return fmt::format("and {} more {}: {}\n", others, table.what, table.more);
  }
  const auto half = static_cast<std::ptrdiff_t>(table.most / 2);
  std::vector<std::string> gap(rows.front().size());
  gap.at(0) = "...";
  gap.at(1) = fmt::format("({} {})", rows.size() - 2 * (table.most / 2), table.what);
  rows.erase(rows.begin() + half, rows.end() - half);
  rows.insert(rows.begin() + half, gap);
  return {};
}

/// The row with the most of the column that pages draw as bars.
std::optional<std::size_t> hottest(const Table& table) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (!table.columns[i].bar || table.rows.size() < 2) continue;
    const auto most = std::max_element(table.rows.begin(), table.rows.end(),
                                       [&](const auto& a, const auto& b) { return a[i] < b[i]; });
    return static_cast<std::size_t>(most - table.rows.begin());
  }
  return {};
}

/// Writes a report for a page, and notes which columns have no room there.
class TextWriter {
 public:
  explicit TextWriter(const TextPage& page, bool all_columns)
      : page_(page), tables_{all_columns ? 0 : page.width, page.colors} {}

  std::string section(const Section& section) {
    std::vector<std::string> blocks;
    std::string block;
    if (!section.heading.empty()) block += lines(section.heading);
    for (const std::string& sentence : section.sentences) block += lines(sentence);
    bool facts = false;
    for (const Fact& each : section.facts) {
      if (each.title.empty()) continue;
      block += fact(each);
      facts = true;
    }
    for (const Drawing& drawing : section.drawings) block += drawing.text;
    for (const Table& each : section.tables) {
      if (!each.for_reader || shown_columns(each).empty()) continue;
      if (facts) block += "\n";
      block += table(each);
    }
    for (const std::string& remark : section.remarks) block += lines(remark);
    if (!block.empty()) blocks.push_back(block);
    for (const Section& inner : section.sections) {
      if (std::string text = this->section(inner); !text.empty()) blocks.push_back(std::move(text));
    }
    std::string text;
    for (const std::string& one : blocks) text += (text.empty() ? "" : "\n") + one;
    return text;
  }

  /// A text with its end of line; what a line is too long for goes on below, with an indent.
  [[nodiscard]] std::string lines(const std::string& text, std::size_t indent = 0) const {
    if (page_.width == 0) return text + "\n";
    std::string result;
    std::istringstream in(text + "\n");
    for (std::string line; std::getline(in, line);) {
      const std::size_t below = indent > 0 ? indent : line.find_first_not_of(' ') + 2;
      for (const auto& part : detail::broken_lines(line, page_.width, below)) {
        result += part + "\n";
      }
    }
    return result;
  }

  /// Which columns tables have beyond those that are printed.
  [[nodiscard]] std::string left_out() const {
    if (left_out_.empty()) return {};
    return "\n" + lines(fmt::format("Left out at this width: {} (COLUMNS={} shows all)",
                                    fmt::join(left_out_, ", "), width_));
  }

 private:
  std::string table(const Table& table) {
    const std::vector<std::size_t> shown = shown_columns(table);
    std::vector<detail::TextColumn> columns;
    for (const std::size_t i : shown) {
      const Name& name = table.columns[i];
      columns.push_back({name.title,
                         name.format == Format::text   ? detail::Cells::words
                         : name.format == Format::code ? detail::Cells::code
                                                       : detail::Cells::numbers,
                         name.rank, name.alarm});
    }
    std::vector<std::vector<std::string>> rows;
    for (const auto& row : table.rows) {
      auto& cells = rows.emplace_back();
      for (const std::size_t i : shown) cells.push_back(to_text(row[i], table.columns[i].format));
    }
    const std::string others = leave_out(rows, table);
    const detail::TextTable text = detail::fitted_table(columns, rows, tables_, hottest(table));
    for (const std::string& title : text.left_out) {
      if (std::find(left_out_.begin(), left_out_.end(), title) == left_out_.end()) {
        left_out_.push_back(title);
      }
      width_ = std::max(width_, text.width);
    }
    return text.text + others;
  }

  [[nodiscard]] std::string fact(const Fact& fact) const {
    constexpr std::size_t meaning = 44;  // where detail::line has it
    constexpr std::size_t text_value = 13;
    const std::string value = to_text(fact.value, fact.format);
    if (fact.format != Format::text) {
      std::string line = detail::line(fact.title, value,
                                      (fact.format == Format::bits ? "bits " : "") + fact.meaning);
      line.pop_back();
      return lines(line, meaning);
    }
    return lines(fmt::format("{:<12} {}{}", fact.title, value,
                             fact.meaning.empty() ? "" : " " + fact.meaning),
                 text_value);
  }

  TextPage page_;
  TextPage tables_;  ///< page_, or as wide as a table needs
  std::vector<std::string> left_out_;
  std::size_t width_ = 0;
};

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

std::string to_text(const Report& report, const TextPage& page) {
  TextWriter writer(page, report.all_columns);
  std::string text = report.title.empty() ? "" : writer.lines(report.title);
  if (report.answer.in_text && !report.answer.sentence.empty())
    text += writer.lines(report.answer.sentence);
  text += writer.section(report.body);
  return text + writer.left_out();
}

}  // namespace agpusim::report
