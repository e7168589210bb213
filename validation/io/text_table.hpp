#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace agpusim::detail {

/// Columns aligned by spaces: the first `left` columns to the left, the others to the right. Every
/// row has as many cells as the header. Ends with a newline.
[[nodiscard]] std::string text_table(const std::vector<std::string>& header,
                                     const std::vector<std::vector<std::string>>& rows,
                                     std::size_t left);

/// The same; `left` says of each column whether it is aligned to the left.
[[nodiscard]] std::string text_table(const std::vector<std::string>& header,
                                     const std::vector<std::vector<std::string>>& rows,
                                     const std::vector<bool>& left);

/// 1048576 as "2^20", other numbers and those below 1024 with separators: "1,000,003".
[[nodiscard]] std::string size_text(std::int64_t n);

/// With separators: "1,000,003".
[[nodiscard]] std::string integer_text(std::int64_t value);

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
