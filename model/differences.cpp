#include "agpusim/model/differences.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace agpusim {

Differences differences(const Output& got, const Output& expected) {
  constexpr std::size_t most = 5;
  Differences all;
  all.of = std::max(got.size, expected.size);
  for (std::int64_t i = 0; i < all.of; ++i) {
    const bool in_both = i < got.size && i < expected.size;
    if (in_both && got.bits(i) == expected.bits(i)) continue;
    ++all.count;
    if (all.first.size() == most) continue;
    all.first.push_back(
        {i, i < got.size ? got.text(i) : "none", i < expected.size ? expected.text(i) : "none"});
  }
  return all;
}

std::string Differences::text() const {
  if (count == 0) return "";
  std::string text = fmt::format("{} of {} numbers differ", count, of);
  for (const Difference& one : first) {
    text += fmt::format("{} [{}] is {}, must be {}", &one == &first.front() ? ":" : ";", one.index,
                        one.got, one.expected);
  }
  return text;
}

std::string wrong_result(const Differences& differences) {
  constexpr const char* wrong = "the result differs from that of the reference";
  return differences.count == 0 ? wrong : fmt::format("{}: {}", wrong, differences.text());
}

}  // namespace agpusim
