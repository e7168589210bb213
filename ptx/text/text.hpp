#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "agpusim/ptx/text/module.hpp"

namespace agpusim::ptx {

struct Token {
  enum class Kind : std::uint8_t {
    end,
    word,       ///< names and opcodes with their dots: "ld.global.u32", "%tid.x"
    directive,  ///< with its dot: ".reg"
    integer,
    floating,
    string,  ///< with its quotes
    punctuation,
  };

  Kind kind = Kind::end;
  std::string_view text;
  std::uint32_t line = 1;

  [[nodiscard]] bool is(std::string_view other) const { return text == other; }
  [[nodiscard]] bool is_number() const { return kind == Kind::integer || kind == Kind::floating; }
};

/// The value of an integer or floating token.
struct Number {
  bool floating = false;
  bool single = false;     ///< 0f...: the bits of a float
  std::uint64_t bits = 0;  ///< bits of the integer, double or float
};

/// Throws PtxError where the value has no meaning or more than 64 bits.
[[nodiscard]] Number number_of(const Token& token);

/// The tokens of a text in turn, two of them known ahead.
class Tokens {
 public:
  explicit Tokens(std::string_view text);

  [[nodiscard]] const Token& peek() const { return current_; }
  [[nodiscard]] const Token& after() const { return next_; }
  Token take();
  /// Whether the next token is this one, which is then taken.
  bool accept(std::string_view text);
  void expect(std::string_view text);
  Token expect(Token::Kind kind, std::string_view what);
  /// A number of at most `most`.
  std::uint64_t integer(std::uint64_t most);
  std::uint32_t integer32() { return static_cast<std::uint32_t>(integer(UINT32_MAX)); }
  /// An integer or float, perhaps with a minus before it.
  Number number();
  /// "+ 4", "+ -4", "- 4", or nothing for 0.
  std::int64_t offset();
  /// Throws PtxError at the line of the next token.
  [[noreturn]] void fail(const std::string& message) const;

 private:
  Token scan();
  Token scan_number();
  void skip_blanks();
  [[nodiscard]] char at(std::size_t position) const {
    return position < text_.size() ? text_[position] : '\0';
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t taken_line_ = 1;
  Token current_;
  Token next_;
};

}  // namespace agpusim::ptx
