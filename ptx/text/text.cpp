#include "agpusim/ptx/text/text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

namespace agpusim::ptx {
namespace {

constexpr std::array<bool, 256> name_characters = [] {
  std::array<bool, 256> is{};
  for (char c = 'a'; c <= 'z'; ++c) is[static_cast<unsigned char>(c)] = true;
  for (char c = 'A'; c <= 'Z'; ++c) is[static_cast<unsigned char>(c)] = true;
  for (char c = '0'; c <= '9'; ++c) is[static_cast<unsigned char>(c)] = true;
  for (const char c : {'_', '$', '%'}) is[static_cast<unsigned char>(c)] = true;
  return is;
}();

bool in_name(char c) { return name_characters[static_cast<unsigned char>(c)]; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The letter of "0x", "0f", "0d", "0b" in lower case, or 0.
char prefix_of(std::string_view number) {
  if (number.size() < 2 || number[0] != '0') return '\0';
  const char letter = static_cast<char>(number[1] | 0x20);
  return letter == 'x' || letter == 'f' || letter == 'd' || letter == 'b' ? letter : '\0';
}

std::string shown(const Token& token) {
  if (token.kind == Token::Kind::end) return "the end";
  return fmt::format("'{}'", token.text.substr(0, 40));
}

std::uint64_t bits_of(std::string_view digits, int base, const Token& token) {
  std::uint64_t bits = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, bits, base);
  if (error == std::errc::result_out_of_range) {
    throw PtxError(token.line, fmt::format("{} is out of range", shown(token)));
  }
  if (error != std::errc{} || stop != end) {
    throw PtxError(token.line, fmt::format("{} is not a number", shown(token)));
  }
  return bits;
}

}  // namespace

Number number_of(const Token& token) {
  std::string_view digits = token.text;
  const char prefix = prefix_of(digits);
  if (token.kind == Token::Kind::floating) {
    if (prefix != '\0') {
      const bool single = prefix == 'f';
      digits.remove_prefix(2);
      if (digits.size() != (single ? 8U : 16U)) {
        throw PtxError(token.line,
                       fmt::format("{} has not {} digits", shown(token), single ? 8 : 16));
      }
      return {true, single, bits_of(digits, 16, token)};
    }
    const std::string decimal(digits);
    char* stop = nullptr;
    const double value = std::strtod(decimal.c_str(), &stop);
    if (*stop != '\0') throw PtxError(token.line, fmt::format("{} is not a number", shown(token)));
    if (!std::isfinite(value)) {
      throw PtxError(token.line, fmt::format("{} is out of range", shown(token)));
    }
    return {true, false, std::bit_cast<std::uint64_t>(value)};
  }
  if (digits.back() == 'U') digits.remove_suffix(1);
  const int base = prefix == 'x' ? 16 : prefix == 'b' ? 2 : digits.starts_with('0') ? 8 : 10;
  return {false, false, bits_of(digits.substr(prefix != '\0' ? 2 : 0), base, token)};
}

Tokens::Tokens(std::string_view text) : text_(text) {
  current_ = scan();
  next_ = scan();
}

Token Tokens::take() {
  taken_line_ = current_.line;
  Token taken = std::exchange(current_, next_);
  if (next_.kind != Token::Kind::end) next_ = scan();
  return taken;
}

bool Tokens::accept(std::string_view text) {
  if (!current_.is(text)) return false;
  take();
  return true;
}

void Tokens::expect(std::string_view text) {
  if (accept(text)) return;
  throw PtxError(taken_line_, fmt::format("expected {} before {}", text, shown(current_)));
}

Token Tokens::expect(Token::Kind kind, std::string_view what) {
  if (current_.kind != kind) fail(fmt::format("expected {} before {}", what, shown(current_)));
  return take();
}

std::uint64_t Tokens::integer(std::uint64_t most) {
  const std::uint64_t value = number_of(expect(Token::Kind::integer, "a number")).bits;
  if (value > most) throw PtxError(taken_line_, fmt::format("{} is out of range", value));
  return value;
}

Number Tokens::number() {
  const bool negative = accept("-");
  if (!current_.is_number()) fail(fmt::format("expected a number before {}", shown(current_)));
  Number number = number_of(take());
  if (!negative) return number;
  if (number.floating) {
    number.bits ^= std::uint64_t{1} << (number.single ? 31 : 63);
    return number;
  }
  if (number.bits > std::uint64_t{1} << 63) {
    throw PtxError(taken_line_, fmt::format("-{} is out of range", number.bits));
  }
  number.bits = 0 - number.bits;
  return number;
}

std::int64_t Tokens::offset() {
  const bool minus = current_.is("-");
  if (!minus && !accept("+")) return 0;
  const bool negative = accept("-");
  const auto value = static_cast<std::int64_t>(integer(INT64_MAX));
  return negative ? -value : value;
}

void Tokens::fail(const std::string& message) const { throw PtxError(current_.line, message); }

void Tokens::skip_blanks() {
  for (;; ++position_) {
    const char c = at(position_);
    if (c == '\n') {
      ++line_;
    } else if (c == '/' && at(position_ + 1) == '/') {
      position_ = std::min(text_.find('\n', position_), text_.size()) - 1;
    } else if (c == '/' && at(position_ + 1) == '*') {
      const std::size_t end = text_.find("*/", position_ + 2);
      if (end == std::string_view::npos) throw PtxError(line_, "a comment without end");
      const auto comment = text_.substr(position_, end - position_);
      line_ += static_cast<std::uint32_t>(std::count(comment.begin(), comment.end(), '\n'));
      position_ = end + 1;
    } else if (c != ' ' && c != '\t' && c != '\r' && c != '\f' && c != '\v') {
      return;
    }
  }
}

Token Tokens::scan() {
  skip_blanks();
  const std::size_t begin = position_;
  Token token{Token::Kind::punctuation, {}, line_};
  const char c = at(begin);
  if (begin >= text_.size()) return {Token::Kind::end, {}, line_};
  if (is_digit(c)) return scan_number();
  if (in_name(c)) {
    token.kind = Token::Kind::word;
    for (;;) {
      while (in_name(at(position_))) ++position_;
      if (at(position_) == '.' && in_name(at(position_ + 1))) {
        ++position_;
      } else if (at(position_) == ':' && at(position_ + 1) == ':' && in_name(at(position_ + 2))) {
        position_ += 2;
      } else {
        break;
      }
    }
  } else if (c == '.' && in_name(at(begin + 1))) {
    token.kind = Token::Kind::directive;
    do {
      ++position_;
    } while (in_name(at(position_)));
  } else if (c == '"') {
    token.kind = Token::Kind::string;
    position_ = text_.find_first_of("\"\n", begin + 1);
    if (at(position_) != '"') throw PtxError(line_, "a string without end");
    ++position_;
  } else if (c > ' ' && c < 0x7f) {
    ++position_;
  } else {
    throw PtxError(line_, fmt::format("a byte of value {} is no part of PTX",
                                      static_cast<unsigned>(static_cast<unsigned char>(c))));
  }
  token.text = text_.substr(begin, position_ - begin);
  return token;
}

Token Tokens::scan_number() {
  const std::size_t begin = position_;
  while (in_name(at(position_))) ++position_;
  const char prefix = prefix_of(text_.substr(begin, position_ - begin));
  bool floating = prefix == 'f' || prefix == 'd';
  if (prefix == '\0') {
    if (at(position_) == '.') {
      ++position_;
      while (in_name(at(position_))) ++position_;
    }
    const char last = at(position_ - 1);
    if ((last == 'e' || last == 'E') && (at(position_) == '-' || at(position_) == '+')) {
      ++position_;
      while (in_name(at(position_))) ++position_;
    }
    floating =
        text_.substr(begin, position_ - begin).find_first_of(".eE") != std::string_view::npos;
  }
  return {floating ? Token::Kind::floating : Token::Kind::integer,
          text_.substr(begin, position_ - begin), line_};
}

}  // namespace agpusim::ptx
