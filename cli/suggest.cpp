#include "agpusim/cli/suggest.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace agpusim {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

/// Letters that are changed, added, left out, or swapped with their neighbour, without regard to
/// case.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  const auto same = [&](std::size_t i, std::size_t j) { return lower(a[i]) == lower(b[j]); };
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::vector<std::size_t> next(b.size() + 1, i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      next[j] = std::min({row[j - 1] + (same(i - 1, j - 1) ? 0 : 1), row[j] + 1, next[j - 1] + 1});
      if (i > 1 && j > 1 && same(i - 1, j - 2) && same(i - 2, j - 1)) {
        next[j] = std::min(next[j], before[j - 2] + 1);
      }
    }
    before = std::exchange(row, std::move(next));
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string> nearest(const std::string& word, const std::vector<std::string>& known) {
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& name : known) {
    const bool beginning = word.size() >= 2 && name.starts_with(word);
    const std::size_t distance = beginning ? 1 : edit_distance(word, name);
    if (distance < best_distance && 2 * distance <= name.size()) {
      best = name;
      best_distance = distance;
    }
  }
  return best;
}

UsageError unknown_name(const std::string& thing, const std::string& word,
                        const std::vector<std::string>& known) {
  const std::optional<std::string> guess = nearest(word, known);
  return UsageError(fmt::format("unknown {} '{}':{} known: {}", thing, word,
                                guess ? fmt::format(" did you mean '{}'?", *guess) : "",
                                fmt::join(known, ", ")));
}

}  // namespace agpusim
