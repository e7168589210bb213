#include "agpusim/algorithms/common/given_values.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

constexpr std::string_view values_prefix = "values:";
constexpr std::string_view file_prefix = "file:";

std::filesystem::path file_of(std::string_view input) { return input.substr(file_prefix.size()); }

[[noreturn]] void refuse_file(std::string_view input, const std::string& why) {
  throw IoError(fmt::format("cannot read input '{}': {}", input, why));
}

}  // namespace

bool is_given(std::string_view input) {
  return input.starts_with(values_prefix) || input.starts_with(file_prefix);
}

std::int64_t given_count(std::string_view input, std::int64_t bytes) {
  if (input.starts_with(values_prefix)) {
    return static_cast<std::int64_t>(detail::given_words(input).size());
  }
  std::error_code error;
  const auto size = static_cast<std::int64_t>(std::filesystem::file_size(file_of(input), error));
  if (error) refuse_file(input, error.message());
  if (size % bytes != 0) {
    throw FileError(
        fmt::format("input '{}': {} bytes are no whole elements of {} bytes", input, size, bytes));
  }
  return size / bytes;
}

namespace detail {

std::vector<std::string_view> given_words(std::string_view input) {
  std::vector<std::string_view> words;
  if (!input.starts_with(values_prefix)) return words;
  std::string_view text = input.substr(values_prefix.size());
  while (!text.empty()) {
    words.push_back(text.substr(0, text.find(',')));
    text.remove_prefix(words.back().size());
    if (text == ",") words.push_back(text.substr(1));
    text.remove_prefix(std::min<std::size_t>(text.size(), 1));
  }
  return words;
}

void read_given(std::string_view input, std::span<std::byte> elements) {
  std::ifstream file(file_of(input), std::ios::binary);
  file.read(reinterpret_cast<char*>(elements.data()),
            static_cast<std::streamsize>(elements.size()));
  if (!file) refuse_file(input, "it ends too early");
}

void require_count(std::string_view input, std::int64_t given, std::int64_t n, const char* noun) {
  if (given == n) return;
  throw UsageError(fmt::format("input '{}...' has {} {}s, but n = {}; leave n out",
                               input.substr(0, input.find(':') + 1), given, noun, n));
}

void refuse_word(std::string_view word, std::size_t index, const char* noun, const char* kind) {
  throw UsageError(
      fmt::format("input 'values:...': {} x[{}] = '{}' is not {}; for example values:3,3,1,7", noun,
                  index, word, kind));
}

}  // namespace detail
}  // namespace agpusim
