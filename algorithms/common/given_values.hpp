#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

// Inputs that give their elements: "values:3,1,7" spells them, "file:keys.bin" names a file of
// them, one after the other as the machine that wrote it holds them (numpy: array.tofile).
namespace agpusim {

[[nodiscard]] bool is_given(std::string_view input);

/// How many elements `input` gives, of `bytes` bytes each in a file. Throws IoError for a file
/// that cannot be read, FileError for one that holds a part of an element.
[[nodiscard]] std::int64_t given_count(std::string_view input, std::int64_t bytes);

namespace detail {

/// The words that "values:" spells, or nothing.
[[nodiscard]] std::vector<std::string_view> given_words(std::string_view input);

/// Fills `elements` from the file that `input` names; IoError as for given_count().
void read_given(std::string_view input, std::span<std::byte> elements);

void require_count(std::string_view input, std::int64_t given, std::int64_t n, const char* noun);

[[noreturn]] void refuse_word(std::string_view word, std::size_t index, const char* noun,
                              const char* kind);

}  // namespace detail

/// "a 32-bit unsigned integer", ...
template <class T>
[[nodiscard]] const char* type_in_words() {
  if constexpr (std::is_floating_point_v<T>) return "a floating-point number";
  if constexpr (std::is_unsigned_v<T>) {
    return sizeof(T) == 4 ? "a 32-bit unsigned integer" : "a 64-bit unsigned integer";
  }
  return sizeof(T) == 4 ? "a 32-bit integer" : "a 64-bit integer";
}

/// The n elements that `input` gives, in a file as `Stored`. `noun` is what the messages call them.
/// Throws UsageError that names a word which is no T, or when there are not n of them.
template <class T, class Stored = T>
[[nodiscard]] std::vector<T> given_values(std::string_view input, std::int64_t n, const char* noun,
                                          const char* kind = type_in_words<T>()) {
  detail::require_count(input, given_count(input, sizeof(Stored)), n, noun);
  std::vector<T> values(static_cast<std::size_t>(n));
  const std::vector<std::string_view> words = detail::given_words(input);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const char* const end = words[i].data() + words[i].size();
    const auto [stop, error] = std::from_chars(words[i].data(), end, values[i]);
    if (error != std::errc{} || stop != end) detail::refuse_word(words[i], i, noun, kind);
  }
  if (!words.empty() || n == 0) return values;
  std::vector<Stored> stored(values.size());
  detail::read_given(input, std::as_writable_bytes(std::span(stored)));
  return {stored.begin(), stored.end()};
}

}  // namespace agpusim
