#include "agpusim/validation/io/text_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

namespace agpusim::detail {
namespace {

constexpr std::size_t gap = 2;           // between columns
constexpr std::size_t least_words = 16;  // a column of words or code is not narrower
constexpr std::size_t least_code = 28;   // while others can be left out,
constexpr std::size_t least_cut = 8;     // and then not narrower than this
constexpr std::size_t most_lines = 4;    // about as many a cell may take

/// Columns of a terminal that a UTF-8 text without wide characters takes.
std::size_t columns_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

/// The bytes of the first `count` characters.
std::size_t bytes_of(const std::string& text, std::size_t count) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if ((text[at] & 0xC0) != 0x80 && count-- == 0) break;
  }
  return at;
}

/// What fits in a width: the beginning and the last `end` characters.
std::string shortened(const std::string& text, std::size_t width, std::size_t end) {
  const std::size_t all = columns_of(text);
  if (all <= width) return text;
  return text.substr(0, bytes_of(text, width - 3 - end)) + "..." +
         text.substr(bytes_of(text, all - end));
}

/// Keeps the last part of a name of a file or in a namespace.
std::string shortened_word(const std::string& word, std::size_t width) {
  const std::size_t folder = word.rfind('/');
  const std::size_t part = folder == std::string::npos ? word.rfind(':') : folder;
  const std::size_t end = part == std::string::npos ? 0 : columns_of(word.substr(part));
  return shortened(word, width, std::max((width - 3) / 4, std::min(end, width - 4)));
}

std::vector<std::string> lines_of(const std::string& cell, Cells cells, std::size_t width) {
  if (cells == Cells::numbers || columns_of(cell) <= width) return {cell};
  if (cells == Cells::code) return {shortened(cell, width, 0)};
  std::vector<std::string> lines = broken_lines(cell, width);
  for (std::string& line : lines) line = shortened_word(line, width);
  return lines;
}

/// A column with what it needs to show all of its cells, and the least it can do with.
struct Measured {
  std::size_t column = 0;
  std::size_t width = 0;
  std::size_t least = 0;
};

std::vector<Measured> measured(const std::vector<TextColumn>& columns,
                               const std::vector<std::vector<std::string>>& rows) {
  std::vector<Measured> all;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    std::size_t width = columns_of(columns[i].title);
    for (const auto& row : rows) width = std::max(width, columns_of(row.at(i)));
    const std::size_t least = columns[i].cells == Cells::numbers ? width
                              : columns[i].cells == Cells::code
                                  ? least_code
                                  : std::max(least_words, width / most_lines);
    all.push_back({i, width, std::min(width, least)});
  }
  return all;
}

std::size_t total(const std::vector<Measured>& columns, std::size_t Measured::*width) {
  std::size_t sum = 0;
  for (const Measured& column : columns) sum += (sum == 0 ? 0 : gap) + column.*width;
  return sum;
}

/// Takes from the widest of these columns until the table fits.
void narrow(std::vector<Measured>& shown, const std::vector<TextColumn>& columns, Cells cells,
            std::size_t width) {
  for (std::size_t all = total(shown, &Measured::width); all > width; --all) {
    Measured* widest = nullptr;
    for (Measured& one : shown) {
      const bool can = columns[one.column].cells == cells && one.width > one.least;
      if (can && (widest == nullptr || one.width > widest->width)) widest = &one;
    }
    if (widest == nullptr) return;
    --widest->width;
  }
}

/// The columns that a page has room for, with their widths.
std::vector<Measured> fitted(const std::vector<Measured>& all,
                             const std::vector<TextColumn>& columns, std::size_t width,
                             std::vector<std::string>& left_out) {
  std::vector<Measured> shown = all;
  const auto rank = [&](const Measured& one) { return columns[one.column].rank; };
  while (total(shown, &Measured::least) > width) {
    const auto last =
        std::max_element(shown.begin(), shown.end(),
                         [&](const Measured& a, const Measured& b) { return rank(a) < rank(b); });
    if (last == shown.end() || rank(*last) == 0) break;
    left_out.push_back(columns[last->column].title);
    shown.erase(last);
  }
  for (int round = 0; round < 2; ++round) {
    narrow(shown, columns, Cells::code, width);
    narrow(shown, columns, Cells::words, width);
    for (Measured& one : shown) {
      if (columns[one.column].cells != Cells::numbers) one.least = std::min(one.least, least_cut);
    }
  }
  return shown;
}

}  // namespace

TextTable fitted_table(const std::vector<TextColumn>& columns,
                       const std::vector<std::vector<std::string>>& rows, const TextPage& page,
                       std::optional<std::size_t> bold) {
  const std::vector<Measured> all = measured(columns, rows);
  TextTable table{{}, {}, total(all, &Measured::least)};
  const std::vector<Measured> shown =
      page.width > 0 ? fitted(all, columns, page.width, table.left_out) : all;
  const auto print = [&](const std::vector<std::string>& row, bool is_bold, bool is_header) {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (const Measured& one : shown) {
      cells.push_back(lines_of(row.at(one.column), columns[one.column].cells, one.width));
      height = std::max(height, cells.back().size());
    }
    for (std::size_t at = 0; at < height; ++at) {
      std::string line;
      for (std::size_t i = 0; i < shown.size(); ++i) {
        const TextColumn& column = columns[shown[i].column];
        std::string cell = at < cells[i].size() ? cells[i][at] : "";
        const std::string padding(shown[i].width - std::min(shown[i].width, columns_of(cell)), ' ');
        if (page.colors && column.red && !is_header && !cell.empty() && cell != "0")
          cell = "\033[31m" + cell + "\033[39m";
        line += (i == 0 ? "" : std::string(gap, ' ')) +
                (column.cells == Cells::numbers ? padding + cell : cell + padding);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      table.text += (page.colors && is_bold ? "\033[1m" + line + "\033[22m" : line) + '\n';
    }
  };
  std::vector<std::string> header;
  for (const TextColumn& column : columns) header.push_back(column.title);
  print(header, false, true);
  for (std::size_t i = 0; i < rows.size(); ++i) print(rows[i], bold == i, false);
  return table;
}

std::string text_table(const std::vector<std::string>& header,
                       const std::vector<std::vector<std::string>>& rows, std::size_t left) {
  std::vector<TextColumn> columns;
  for (const std::string& title : header) {
    columns.push_back({title, columns.size() < left ? Cells::words : Cells::numbers});
  }
  return fitted_table(columns, rows, {}).text;
}

std::vector<std::string> broken_lines(std::string text, std::size_t width, std::size_t indent) {
  std::vector<std::string> lines;
  while (columns_of(text) > width) {
    const std::size_t start = std::min(text.find_first_not_of(' '), text.size());
    const std::size_t end = bytes_of(text, width);
    std::size_t space = text.rfind(' ', end);
    if (space == std::string::npos || space <= start) space = text.find(' ', end);
    if (space == std::string::npos) break;
    lines.push_back(text.substr(0, text.find_last_not_of(' ', space) + 1));
    const std::size_t next = std::min(text.find_first_not_of(' ', space), text.size());
    text = std::string(indent, ' ') + text.substr(next);
  }
  lines.push_back(text);
  return lines;
}

std::string size_text(std::int64_t n) {
  if (n >= 1024 && std::has_single_bit(static_cast<std::uint64_t>(n))) {
    return fmt::format("2^{}", std::countr_zero(static_cast<std::uint64_t>(n)));
  }
  return integer_text(n);
}

std::string integer_text(std::int64_t value) {
  std::string text = fmt::format("{}", value);
  const std::size_t first_digit = value < 0 ? 1 : 0;
  for (std::size_t i = text.size(); i > first_digit + 3;) {
    i -= 3;
    text.insert(i, ",");
  }
  return text;
}

std::string counted(std::int64_t count, const std::string& thing, const char* plural) {
  return fmt::format("{} {}{}", integer_text(count), thing, count == 1 ? "" : plural);
}

std::string decimal_text(double value) {
  if (!std::isfinite(value) || value == 0) return fmt::format("{}", value);
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
  return fmt::format("{:.{}f}", value, std::clamp(3 - magnitude, 0, 12));
}

std::string percent_text(double fraction) { return fmt::format("{:.1f} %", 100 * fraction); }

std::string signed_percent_text(double fraction) {
  return fmt::format("{:+.1f} %", 100 * fraction);
}

std::string line(const std::string& name, const std::string& value, const std::string& meaning) {
  return fmt::format("  {:<18}  {:>20}  {}\n", name, value, meaning);
}

std::string line(const std::string& name, std::int64_t value, const std::string& meaning) {
  return line(name, integer_text(value), meaning);
}

std::string trimmed(const std::string& text, const char* spaces) {
  const std::size_t begin = text.find_first_not_of(spaces);
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(spaces) + 1 - begin);
}

}  // namespace agpusim::detail
