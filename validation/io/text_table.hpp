#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace agpusim::detail {

/// What stands in a column, and what it gives up where its table is wider than the page.
enum class Cells {
  numbers,  ///< to the right; nothing
  words,    ///< to the left; further lines take the rest, a word that is longer loses its middle
  code      ///< to the left; its end
};

struct TextColumn {
  std::string title;
  Cells cells = Cells::numbers;
  int rank = 0;      ///< the largest is left out first of a table that does not fit; 0: never
  bool red = false;  ///< on a page with colours
};

struct TextPage {
  std::size_t width = 0;  ///< in characters; 0: any
  bool colors = false;    ///< a terminal shows them
};

struct TextTable {
  std::string text;
  std::vector<std::string> left_out = {};  ///< titles of columns
  std::size_t width = 0;                   ///< columns of a page with room for all
};

/// Columns aligned by spaces and fitted to the page: code is cut first, then words, then columns
/// are left out, then code and words keep little. The row `bold` stands out. Every row has a cell
/// for each column.
[[nodiscard]] TextTable fitted_table(const std::vector<TextColumn>& columns,
                                     const std::vector<std::vector<std::string>>& rows,
                                     const TextPage& page, std::optional<std::size_t> bold = {});

/// Fits a page of any width: the first `left` columns to the left, the others to the right.
[[nodiscard]] std::string text_table(const std::vector<std::string>& header,
                                     const std::vector<std::vector<std::string>>& rows,
                                     std::size_t left);

/// The lines of a text of at most `width` characters where it has spaces to break them at; those
/// after the first have an indent.
[[nodiscard]] std::vector<std::string> broken_lines(std::string text, std::size_t width,
                                                    std::size_t indent = 0);

/// 1048576 as "2^20", other numbers and those below 1024 with separators: "1,000,003".
[[nodiscard]] std::string size_text(std::int64_t n);

/// With separators: "1,000,003".
[[nodiscard]] std::string integer_text(std::int64_t value);

/// "1 row", "2,000 rows".
[[nodiscard]] std::string counted(std::int64_t count, const std::string& thing,
                                  const char* plural = "s");

/// Four significant digits without exponent, for example "0.3712" or "12345".
[[nodiscard]] std::string decimal_text(double value);

/// A line of a cost sheet: name, value and what it means.
[[nodiscard]] std::string line(const std::string& name, const std::string& value,
                               const std::string& meaning);
[[nodiscard]] std::string line(const std::string& name, std::int64_t value,
                               const std::string& meaning);

/// A fraction as a percentage with one digit, signed on demand: "+12.3 %".
[[nodiscard]] std::string percent_text(double fraction);
[[nodiscard]] std::string signed_percent_text(double fraction);

/// Without the characters of `spaces` at its begin and end.
[[nodiscard]] std::string trimmed(const std::string& text, const char* spaces);

}  // namespace agpusim::detail
