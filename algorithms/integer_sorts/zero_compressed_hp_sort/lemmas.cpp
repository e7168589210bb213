#include "agpusim/algorithms/integer_sorts/zero_compressed_hp_sort/lemmas.hpp"

#include <cstddef>

#include <fmt/format.h>

namespace agpusim::zero_compressed_hp_sort {

std::string failure_of_lemma_1(const Arrays& s) {
  for (std::size_t v = 0; v < s.a.size(); ++v) {
    if (s.a[v] == 0) continue;
    const auto j = static_cast<std::size_t>(s.a01p[v]) - 1;
    const auto key = static_cast<std::int32_t>(s.min_key + static_cast<std::int64_t>(v));
    if (s.c[j] != s.a[v] || s.ic[j] != key) {
      return fmt::format("FAILS for v = {}: C[{}] = {}, A[v] = {}; iC[{}] = {}, key {}", v, j,
                         s.c[j], s.a[v], j, s.ic[j], key);
    }
  }
  return "";
}

std::string failure_of_lemma_2(const Arrays& s) {
  const auto len = static_cast<std::size_t>(s.a01p.back());
  std::size_t j = 0;
  for (std::size_t i = 0; i < s.b.size(); ++i) {
    std::int64_t rise = 0;
    if (j < len && static_cast<std::size_t>(s.cp[j]) == i) {
      rise = std::int64_t{s.ic[j]} - (j == 0 ? 0 : s.ic[j - 1]);
      ++j;
    }
    if (s.b[i] != static_cast<std::int32_t>(rise)) {
      return fmt::format("FAILS for i = {}: B[i] = {}, not {}", i, s.b[i], rise);
    }
  }
  return j == len ? "" : fmt::format("FAILS: {} of {} values begin at a place", j, len);
}

std::vector<NamedValue> check_lemmas(const Arrays& s) {
  const std::string first = failure_of_lemma_1(s);
  const std::string second = failure_of_lemma_2(s);
  const std::int32_t len = s.a01p.back();
  return {{"lemma 1",
           first.empty() ? fmt::format("holds for len = {} of {} values", len, s.a.size()) : first},
          {"lemma 2", second.empty() ? fmt::format("holds for {} places", s.b.size()) : second}};
}

}  // namespace agpusim::zero_compressed_hp_sort
