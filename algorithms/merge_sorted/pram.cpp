#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/algorithms/common/pram/bounds.hpp"
#include "agpusim/algorithms/common/pram/numbers.hpp"
#include "agpusim/algorithms/common/pram/row.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/cost/units.hpp"
#include "agpusim/model/error.hpp"

// x is two sorted sequences, a of ⌈n/2⌉ and b of ⌊n/2⌋ numbers; of equal numbers those of a come
// first.
namespace agpusim {
namespace {

using Numbers = std::vector<std::int64_t>;

std::int64_t size_of_a(std::int64_t n) { return n - n / 2; }

Numbers generate_halves(const RunConfig& config) {
  Numbers x = generate_numbers(config);
  const auto middle = x.begin() + size_of_a(config.n);
  if (!is_given(config.input)) {
    std::sort(x.begin(), middle);
    std::sort(middle, x.end());
    return x;
  }
  for (std::size_t i = 1; i < x.size(); ++i) {
    if (x.begin() + static_cast<std::ptrdiff_t>(i) != middle && x[i] < x[i - 1]) {
      throw UsageError(
          fmt::format("x[{}] = {} is smaller than x[{}] = {}: the first {} and the last {} numbers "
                      "must be sorted",
                      i, x[i], i - 1, x[i - 1], size_of_a(config.n), config.n / 2));
    }
  }
  return x;
}

Numbers reference(const Numbers& x) {
  Numbers y(x.size());
  const auto middle = x.begin() + size_of_a(static_cast<std::int64_t>(x.size()));
  std::merge(x.begin(), middle, middle, x.end(), y.begin());
  return y;
}

/// Steps of a number that finds its rank among `length`: the binary search, at least 1.
std::int64_t steps_of_rank(std::int64_t length) { return length == 0 ? 1 : ceil_lg(length) + 1; }

/// Every number finds by binary search how many of the other sequence come before it.
Numbers merge_by_ranks(Pram& pram, const PramArray& x) {
  const std::int64_t n = x.size();
  const std::int64_t na = size_of_a(n);
  const PramArray y = pram.array(n, "y");
  Numbers own(static_cast<std::size_t>(n));      // registers
  Numbers rank(static_cast<std::size_t>(n), 0);  // how many of the other are known to come before
  Numbers left = {n - na, na};                   // candidates that a number of a, of b still has
  const Numbers steps = {steps_of_rank(n - na), n == na ? 0 : steps_of_rank(na)};
  for (std::int64_t s = 0; s < std::max(steps[0], steps[1]); ++s) {
    pram.step("halve the candidates", n, [&](PramProcessor& p) {
      const auto self = static_cast<std::size_t>(p.id());
      const std::size_t of = p.id() < na ? 0 : 1;
      if (s >= steps[of]) return;
      if (s == 0) own[self] = p.read(x, p.id());
      if (left[of] > 0) {
        const std::int64_t half = std::max<std::int64_t>(1, left[of] / 2);
        const std::int64_t other = p.read(x, (of == 0 ? na : 0) + rank[self] + half - 1);
        if (of == 0 ? other < own[self] : other <= own[self]) rank[self] += half;
      }
      if (s == steps[of] - 1) p.write(y, p.id() - (of == 0 ? 0 : na) + rank[self], own[self]);
    });
    for (std::int64_t& length : left) length -= length / 2;
  }
  return pram.values(y);
}

PramForm merge_by_ranks_form(std::int64_t n) {
  const std::int64_t nb = n / 2;
  const std::int64_t na = n - nb;
  if (n == 0) return {};
  const std::int64_t of_b = nb == 0 ? 0 : steps_of_rank(na);
  return {std::max(steps_of_rank(nb), of_b), n, na * steps_of_rank(nb) + nb * of_b};
}

/// Numbers that a processor of merge_by_paths writes: ⌊lg n⌋, at least 1.
std::int64_t numbers_of_processor(std::int64_t n) { return std::max<std::int64_t>(1, floor_lg(n)); }

/// A processor for every ⌊lg n⌋ numbers of the output finds by binary search how many of them lie
/// before its first in a and in b, then merges.
Numbers merge_by_paths(Pram& pram, const PramArray& x) {
  const std::int64_t n = x.size();
  const PramArray y = pram.array(n, "y");
  if (n == 0) return {};
  const std::int64_t na = size_of_a(n);
  const std::int64_t nb = n - na;
  const std::int64_t length = numbers_of_processor(n);
  struct Registers {
    std::int64_t low = 0;   // at least so many of a lie before
    std::int64_t high = 0;  // at most
    std::int64_t j = 0;     // index of the next number of b
    std::int64_t of_a = 0;  // the next number of a
    std::int64_t of_b = 0;
    bool took_a = true;
    bool took_b = true;
  };
  std::vector<Registers> all(static_cast<std::size_t>(ceil_div(n, length)));
  const auto processors = static_cast<std::int64_t>(all.size());
  for (std::int64_t q = 0; q < processors; ++q) {
    Registers& r = all[static_cast<std::size_t>(q)];
    r.low = std::max<std::int64_t>(0, q * length - nb);
    r.high = std::min(q * length, na);
  }
  for (std::int64_t s = 0; s < ceil_lg(nb + 1); ++s) {
    pram.step("halve the path", processors, [&](PramProcessor& p) {
      Registers& r = all[static_cast<std::size_t>(p.id())];
      p.compute();
      if (r.low == r.high) return;
      const std::int64_t middle = (r.low + r.high) / 2;
      const std::int64_t a = p.read(x, middle);
      const std::int64_t b = p.read(x, na + p.id() * length - 1 - middle);
      (a <= b ? r.low : r.high) = a <= b ? middle + 1 : middle;
    });
  }
  for (std::int64_t s = 0; s < length; ++s) {
    pram.step("next number", processors, [&](PramProcessor& p) {
      Registers& r = all[static_cast<std::size_t>(p.id())];
      const std::int64_t to = p.id() * length + s;
      if (to >= n) return;
      if (s == 0) r.j = to - r.low;
      if (r.took_a && r.low < na) r.of_a = p.read(x, r.low);
      if (r.took_b && r.j < nb) r.of_b = p.read(x, na + r.j);
      r.took_a = r.low < na && (r.j == nb || r.of_a <= r.of_b);
      r.took_b = !r.took_a;
      p.write(y, to, r.took_a ? r.of_a : r.of_b);
      (r.took_a ? r.low : r.j) += 1;
    });
  }
  return pram.values(y);
}

PramForm merge_by_paths_form(std::int64_t n) {
  if (n == 0) return {};
  const std::int64_t length = numbers_of_processor(n);
  const std::int64_t processors = ceil_div(n, length);
  const std::int64_t search = ceil_lg(n / 2 + 1);
  return {search + length, processors, processors * search + n};
}

}  // namespace

void register_pram_merge_sorted(Registry& registry) {
  PramSide row = side_on_numbers(
      {number_kinds(), generate_halves},
      [](const RunConfig& config, Pram& pram, const PramArray& x) {
        return config.variant == "ranks" ? merge_by_ranks(pram, x) : merge_by_paths(pram, x);
      },
      reference,
      [](const RunConfig& config) {
        return config.variant == "ranks" ? merge_by_ranks_form(config.n)
                                         : merge_by_paths_form(config.n);
      });
  row.summary = "two sorted halves of n numbers become one sorted sequence, stably";
  row.variants = {
      pram_variant("ranks", "every number finds its rank in the other half by binary search",
                   growth::of_n("ceil(lg ceil(n/2)) + 1 steps, n processors, work O(n log n)",
                                growth::log, growth::linear, growth::m_log),
                   "Shiloach and Vishkin, J. Algorithms 2(1), 1981", machines_of_crew()),
      pram_variant(
          "merge_path", "a processor for every L = floor(lg n) numbers of the result",
          growth::of_n("ceil(lg(floor(n/2) + 1)) + L steps, ceil(n/L) processors, work O(n)",
                       growth::log, growth::m_over_log, growth::linear),
          "Deo and Sarkar, Inform. Sci. 56, 1991; Odeh et al., IPDPSW 2012", machines_of_crew())};
  registry.add("merge_sorted", std::move(row));
}

}  // namespace agpusim
