#include "agpusim/cli/sizes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/io/text_table.hpp"

namespace agpusim {
namespace {

enum class Fault { none, malformed, fraction, too_large };

struct Suffix {
  std::string_view text;
  std::int64_t factor;
};

/// Binary suffixes first: "Ki" must not be read as "K" followed by garbage.
constexpr std::array<Suffix, 9> suffixes{{{"Ki", std::int64_t{1} << 10},
                                          {"Mi", std::int64_t{1} << 20},
                                          {"Gi", std::int64_t{1} << 30},
                                          {"Ti", std::int64_t{1} << 40},
                                          {"k", 1'000},
                                          {"K", 1'000},
                                          {"M", 1'000'000},
                                          {"G", 1'000'000'000},
                                          {"T", 1'000'000'000'000}}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Reads one size from the front to the end of a text; stops at the first fault.
class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  Fault parse(std::int64_t& value) {
    value = 1;
    do {
      std::int64_t factor = 0;
      if (const Fault fault = parse_factor(factor); fault != Fault::none) return fault;
      if (__builtin_mul_overflow(value, factor, &value)) return Fault::too_large;
    } while (take('*'));
    return rest_.empty() ? Fault::none : Fault::malformed;
  }

 private:
  Fault parse_factor(std::int64_t& value) {
    int scale = 0;  // power of ten still to be applied to `value`
    if (const Fault fault = parse_decimal(value, scale); fault != Fault::none) return fault;
    if (take('^')) {
      if (scale != 0) return Fault::malformed;
      if (const Fault fault = parse_power(value); fault != Fault::none) return fault;
    }
    for (const Suffix& suffix : suffixes) {
      if (rest_.starts_with(suffix.text)) {
        rest_.remove_prefix(suffix.text.size());
        if (__builtin_mul_overflow(value, suffix.factor, &value)) return Fault::too_large;
        break;
      }
    }
    return apply_scale(value, scale);
  }

  Fault parse_decimal(std::int64_t& value, int& scale) {
    value = 0;
    bool any_digit = false;
    bool after_point = false;
    while (!rest_.empty() && (is_digit(rest_.front()) || (rest_.front() == '.' && !after_point))) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '.') {
        after_point = true;
        continue;
      }
      any_digit = true;
      if (__builtin_mul_overflow(value, std::int64_t{10}, &value) ||
          __builtin_add_overflow(value, std::int64_t{c - '0'}, &value)) {
        return Fault::too_large;
      }
      scale -= after_point ? 1 : 0;
    }
    if (!any_digit) return Fault::malformed;
    if (take('e') || take('E')) {
      const bool negative = take('-');
      if (!negative) take('+');
      int exponent = 0;
      if (!parse_exponent(exponent)) return Fault::malformed;
      scale += negative ? -exponent : exponent;
    }
    return Fault::none;
  }

  Fault parse_power(std::int64_t& value) {
    int exponent = 0;
    if (!parse_exponent(exponent)) return Fault::malformed;
    const std::int64_t base = value;
    value = 1;
    if (base == 0) value = exponent == 0 ? 1 : 0;
    if (base <= 1) return Fault::none;
    for (int i = 0; i < exponent; ++i) {
      if (__builtin_mul_overflow(value, base, &value)) return Fault::too_large;
    }
    return Fault::none;
  }

  /// Digits of an exponent, saturated: anything above 9999 is out of every range.
  bool parse_exponent(int& exponent) {
    const char* const end = rest_.data() + rest_.size();
    const auto [stop, error] = std::from_chars(rest_.data(), end, exponent);
    if (stop == rest_.data() || !is_digit(rest_.front())) return false;
    if (error == std::errc::result_out_of_range || exponent > 9999) exponent = 9999;
    rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
    return true;
  }

  static Fault apply_scale(std::int64_t& value, int scale) {
    if (value == 0) return Fault::none;
    for (; scale < 0; ++scale) {
      if (value % 10 != 0) return Fault::fraction;
      value /= 10;
    }
    for (; scale > 0; --scale) {
      if (__builtin_mul_overflow(value, std::int64_t{10}, &value)) return Fault::too_large;
    }
    return Fault::none;
  }

  bool take(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view rest_;
};

}  // namespace

std::int64_t parse_size(const std::string& option, const std::string& text,
                        const SizeRange& range) {
  const auto refuse = [&](const std::string& reason) {
    throw UsageError(fmt::format("{} '{}{}' {}; for example {} {}", option, text, range.unit,
                                 reason, option, range.example));
  };
  if (text.starts_with('-')) {
    refuse(fmt::format("is negative: the smallest value is {}", size_text(range.min)));
  }
  std::int64_t value = 0;
  switch (Parser(text).parse(value)) {
    case Fault::none:
      break;
    case Fault::malformed:
      refuse("is not a size");
      break;
    case Fault::fraction:
      refuse("is not a whole number");
      break;
    case Fault::too_large:
      refuse(fmt::format("is too large: the largest value is {}", size_text(range.max)));
      break;
  }
  if (value < range.min) {
    refuse(fmt::format("is too small: the smallest value is {}", size_text(range.min)));
  }
  if (value > range.max) {
    refuse(fmt::format("is too large: the largest value is {}", size_text(range.max)));
  }
  return value;
}

std::int64_t parse_bytes(const std::string& option, const std::string& text) {
  const bool has_unit = text.size() > 1 && text.back() == 'B';
  return parse_size(option, text.substr(0, text.size() - (has_unit ? 1 : 0)),
                    {.max = std::int64_t{1} << 50, .example = "8GiB", .unit = has_unit ? "B" : ""});
}

std::vector<std::string> list_items(const std::string& list) {
  std::vector<std::string> items;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    items.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return items;
}

std::vector<std::int64_t> parse_sizes(const std::string& option, const std::string& text,
                                      const SizeRange& range) {
  constexpr std::string_view dots = "..";
  std::vector<std::int64_t> sizes;
  for (const std::string& item : list_items(text)) {
    const std::size_t at = item.find(dots);
    if (at == std::string::npos) {
      sizes.push_back(parse_size(option, item, range));
      continue;
    }
    const std::int64_t first = parse_size(option, item.substr(0, at), range);
    const std::int64_t last = parse_size(option, item.substr(at + dots.size()), range);
    if (first > last) {
      throw UsageError(fmt::format("{} '{}' ends before it begins; for example {} 2^10..2^20",
                                   option, item, option));
    }
    for (std::int64_t size = first; size <= last; size = std::max<std::int64_t>(1, 2 * size)) {
      sizes.push_back(size);
    }
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

std::string size_text(std::int64_t value) {
  std::string text = detail::size_text(value);
  std::erase(text, ',');
  return text;
}

}  // namespace agpusim
