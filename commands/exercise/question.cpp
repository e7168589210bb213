#include <algorithm>
#include <cctype>
#include <sstream>

#include <fmt/format.h>

#include "agpusim/commands/exercise/grade.hpp"
#include "agpusim/validation/io/text_table.hpp"

namespace agpusim::exercise {
namespace {

constexpr const char* spaces = " \t\r";

/// In lower case; a number without the commas of its thousands.
std::string plain(std::string text) {
  if (text.find_first_not_of("0123456789,") == std::string::npos) std::erase(text, ',');
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

std::vector<NamedText> read_values(const std::string& text) {
  std::vector<NamedText> values;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line = detail::trimmed(line.substr(0, line.find('#')), spaces);
    if (line.empty()) continue;
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) {
      throw Broken(fmt::format("line {}: '{}' must be name = value", number, line));
    }
    values.emplace_back(detail::trimmed(line.substr(0, equals), spaces),
                        detail::trimmed(line.substr(equals + 1), spaces));
  }
  return values;
}

Marks mark_values(const Exercise& exercise, std::uint64_t seed, const std::string& answer) {
  Marks marks{exercise.name, seed};
  std::vector<NamedText> given;
  try {
    given = read_values(answer);
  } catch (const Broken& broken) {
    marks.result = marks.legality = broken.what();
    return marks;
  }
  for (const auto& [name, value] : exercise.values) {
    const auto at = std::find_if(given.begin(), given.end(), [&name = name](const NamedText& one) {
      return one.first == name;
    });
    if (at == given.end() || at->second.empty()) {
      marks.result = marks.legality = fmt::format("{} has no value", name);
      return marks;
    }
    if (plain(at->second) != plain(value) && marks.result.empty()) {
      marks.result = fmt::format("{} = {} is not right", name, at->second);
    }
  }
  return marks;
}

}  // namespace agpusim::exercise
