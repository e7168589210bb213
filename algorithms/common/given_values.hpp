#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim {

/// What an input that spells its elements begins with, as in "values:3,1,7".
inline constexpr std::string_view given_prefix = "values:";

[[nodiscard]] inline bool is_given(std::string_view input) {
  return input.starts_with(given_prefix);
}

/// How many elements `input` spells.
[[nodiscard]] inline std::int64_t given_count(std::string_view input) {
  const std::string_view text = input.substr(given_prefix.size());
  return text.empty() ? 0 : 1 + std::count(text.begin(), text.end(), ',');
}

/// The n numbers that `input` spells. `noun` is what the messages call them, `kind` what T is.
/// Throws UsageError that names a word which is no T, or when there are not n of them.
template <class T>
[[nodiscard]] std::vector<T> given_values(std::string_view input, std::int64_t n, const char* noun,
                                          const char* kind) {
  std::string_view text = input.substr(given_prefix.size());
  std::vector<T> values;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(','));
    T value{};
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || stop != word.data() + word.size()) {
      throw UsageError(
          fmt::format("input 'values:...': {} x[{}] = '{}' is not {}; for example values:3,3,1,7",
                      noun, values.size(), word, kind));
    }
    values.push_back(value);
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  if (static_cast<std::int64_t>(values.size()) != n) {
    throw UsageError(fmt::format("input 'values:...' has {} {}s, but n = {}; leave n out",
                                 values.size(), noun, n));
  }
  return values;
}

}  // namespace agpusim
