#include "agpusim/algorithms/common/pram/maximum.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "agpusim/algorithms/common/pram/forms.hpp"
#include "agpusim/algorithms/common/pram/histogram.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim {
namespace {

/// i < j < size, ordered by j: the pairs of a smaller group come first.
std::vector<std::pair<std::int64_t, std::int64_t>> pairs_of(std::int64_t size) {
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  pairs.reserve(static_cast<std::size_t>(size * (size - 1) / 2));
  for (std::int64_t j = 1; j < size; ++j) {
    for (std::int64_t i = 0; i < j; ++i) pairs.emplace_back(i, j);
  }
  return pairs;
}

std::int64_t pair_count(std::int64_t size) { return size * (size - 1) / 2; }

/// Pairs inside groups of `size` among m candidates; the last group may be smaller.
std::int64_t pairs_in_groups(std::int64_t m, std::int64_t size) {
  return m / size * pair_count(size) + pair_count(m % size);
}

std::int64_t group_size(std::int64_t n, std::int64_t m) { return 2 * n / m + 1; }

}  // namespace

PramArray maximum_of_all_pairs(Pram& pram, const PramArray& x) {
  const std::int64_t n = x.size();
  const PramArray beaten = pram.array(n, "beaten");
  const PramArray maximum = pram.array(1, "maximum");
  clear(pram, "nobody is beaten", beaten);
  pram.step("compare all pairs", n * n, [&](PramProcessor& p) {
    const std::int64_t i = p.id() / n;
    const std::int64_t j = p.id() - i * n;
    if (i >= j) return;
    p.write(beaten, p.read(x, i) < p.read(x, j) ? i : j, 1);
  });
  pram.step("the one not beaten", n, [&](PramProcessor& p) {
    if (p.read(beaten, p.id()) == 0) p.write(maximum, 0, p.read(x, p.id()));
  });
  return maximum;
}

PramForm maximum_of_all_pairs_form(std::int64_t n) {
  return sequence_form({step_form(n), step_form(n * n, pair_count(n)), step_form(n)});
}

PramArray maximum_by_growing_groups(Pram& pram, const PramArray& x) {
  PramArray candidates = x;
  while (candidates.size() > 1) {
    const std::int64_t m = candidates.size();
    const std::int64_t size = std::min(m, group_size(x.size(), m));
    const auto pairs = pairs_of(size);
    const auto pairs_of_group = static_cast<std::int64_t>(pairs.size());
    const PramArray beaten = pram.array(m, "beaten");
    const PramArray winners = pram.array(ceil_div(m, size), "winners");
    clear(pram, "nobody is beaten", beaten);
    pram.step("compare pairs in groups", pairs_in_groups(m, size), [&](PramProcessor& p) {
      const std::int64_t group = p.id() / pairs_of_group;
      const auto [i, j] = pairs[static_cast<std::size_t>(p.id() - group * pairs_of_group)];
      const std::int64_t first = group * size + i;
      const std::int64_t second = group * size + j;
      const bool rises = p.read(candidates, first) < p.read(candidates, second);
      p.write(beaten, rises ? first : second, 1);
    });
    pram.step("winners of the groups", m, [&](PramProcessor& p) {
      if (p.read(beaten, p.id()) != 0) return;
      p.write(winners, p.id() / size, p.read(candidates, p.id()));
    });
    candidates = winners;
  }
  return candidates;
}

PramForm maximum_by_growing_groups_form(std::int64_t n) {
  PramForm form;
  for (std::int64_t m = n; m > 1;) {
    const std::int64_t size = std::min(m, group_size(n, m));
    append_form(form,
                sequence_form({step_form(m), step_form(pairs_in_groups(m, size)), step_form(m)}));
    m = ceil_div(m, size);
  }
  return form;
}

}  // namespace agpusim
