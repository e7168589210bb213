#pragma once

#include <cctype>
#include <cstddef>
#include <string>

namespace agpusim {

/// The source of an algorithm as it is printed: where it cites "theory 3.8", a reader is sent to
/// docs/theory.md#3.8.
[[nodiscard]] inline std::string printed_source(std::string source) {
  const std::string cited = "theory ";
  for (std::size_t at = 0; (at = source.find(cited, at)) != std::string::npos; ++at) {
    const std::size_t id = at + cited.size();
    const bool names_place = id < source.size() && std::islower(source[id]) == 0;
    if (names_place) source.replace(at, cited.size(), "docs/theory.md#");
  }
  return source;
}

}  // namespace agpusim
