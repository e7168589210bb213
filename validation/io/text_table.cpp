#include "agpusim/validation/io/text_table.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

namespace agpusim::detail {
namespace {

/// Columns of a terminal that a UTF-8 text without wide characters takes.
std::size_t columns(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::string text_table(const std::vector<std::string>& header,
                       const std::vector<std::vector<std::string>>& rows,
                       const std::vector<bool>& left) {
  std::vector<std::size_t> widths(header.size());
  const auto widen = [&](const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < header.size(); ++i) {
      widths[i] = std::max(widths[i], columns(cells.at(i)));
    }
  };
  widen(header);
  for (const auto& row : rows) widen(row);
  std::string text;
  const auto print = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string padding(widths[i] - columns(cells[i]), ' ');
      line += (i == 0 ? "" : "  ") + (left[i] ? cells[i] + padding : padding + cells[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  };
  print(header);
  for (const auto& row : rows) print(row);
  return text;
}

std::string text_table(const std::vector<std::string>& header,
                       const std::vector<std::vector<std::string>>& rows, std::size_t left) {
  std::vector<bool> columns(header.size());
  std::fill_n(columns.begin(), std::min(left, columns.size()), true);
  return text_table(header, rows, columns);
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
