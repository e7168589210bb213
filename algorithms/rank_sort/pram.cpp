#include <algorithm>
#include <cstdint>
#include <vector>

#include "agpusim/algorithms/common/pram/bounds.hpp"
#include "agpusim/algorithms/common/pram/forms.hpp"
#include "agpusim/algorithms/common/pram/sort_rows.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/cost/units.hpp"

// Stable sorts by counting on PRAMs without concurrent writes, beside rank_sort() of Sum-CRCW. A
// rank is that in the order (key, index).
namespace agpusim {
namespace {

/// The programs with a processor for each key: it compares its key with one key in each step.
enum class Order {
  together,  ///< all processors read the same key (CREW)
  rotated,   ///< in step t processor j reads key (j + t) mod n, each another one (EREW)
};

PramArray linear_rank_sort(Pram& pram, const PramArray& x, Order order) {
  const std::int64_t n = x.size();
  const PramArray y = pram.array(n, "y");
  std::vector<std::int64_t> own(static_cast<std::size_t>(n));  // registers
  std::vector<std::int64_t> rank(own.size(), 0);
  for (std::int64_t t = 0; t < n; ++t) {
    pram.step("compare with a key", n, [&](PramProcessor& p) {
      const std::int64_t j = p.id();
      const auto self = static_cast<std::size_t>(j);
      const std::int64_t i = order == Order::together ? t : (j + t) % n;
      const std::int64_t key = p.read(x, i);
      if (t == 0) own[self] = i == j ? key : p.read(x, j);
      rank[self] += key < own[self] || (key == own[self] && i < j) ? 1 : 0;
    });
  }
  pram.step("keys to their ranks", n, [&](PramProcessor& p) {
    const auto self = static_cast<std::size_t>(p.id());
    p.write(y, rank[self], own[self]);
  });
  return y;
}

PramForm linear_rank_sort_form(std::int64_t n) {
  return n == 0 ? PramForm{} : PramForm{n + 1, n, n * n + n};
}

/// Keys that a processor of logarithmic_rank_sort compares: ⌊lg n⌋, at least 1.
std::int64_t keys_of_processor(std::int64_t n) { return std::max<std::int64_t>(1, floor_lg(n)); }

/// ⌈n/L⌉ processors for each key count among L = ⌊lg n⌋ keys each, one a step, then add up their
/// counts as a tree.
PramArray logarithmic_rank_sort(Pram& pram, const PramArray& x) {
  const std::int64_t n = x.size();
  const PramArray y = pram.array(n, "y");
  if (n == 0) return y;
  const std::int64_t length = keys_of_processor(n);
  const std::int64_t groups = ceil_div(n, length);
  const PramArray counts = pram.array(n * groups, "counts");  // key j and group g: at g·n + j
  std::vector<std::int64_t> count(static_cast<std::size_t>(n * groups), 0);  // registers
  for (std::int64_t s = 0; s < length; ++s) {
    pram.step("compare with a key", n * groups, [&](PramProcessor& p) {
      const std::int64_t j = p.id() % n;
      const std::int64_t i = p.id() / n * length + s;
      auto& sum = count[static_cast<std::size_t>(p.id())];
      if (i < n) {
        const std::int64_t key = p.read(x, i);
        const std::int64_t own = i == j ? key : p.read(x, j);
        sum += key < own || (key == own && i < j) ? 1 : 0;
      }
      if (s == length - 1) p.write(counts, p.id(), sum);
    });
  }
  for (std::int64_t left = groups; left > 1; left -= left / 2) {
    const std::int64_t half = left - left / 2;
    pram.step("add up counts", n * (left / 2), [&](PramProcessor& p) {
      const std::int64_t sum = p.read(counts, p.id());
      p.write(counts, p.id(), sum + p.read(counts, p.id() + half * n));
    });
  }
  pram.step("keys to their ranks", n,
            [&](PramProcessor& p) { p.write(y, p.read(counts, p.id()), p.read(x, p.id())); });
  return y;
}

PramForm logarithmic_rank_sort_form(std::int64_t n) {
  if (n == 0) return {};
  const std::int64_t length = keys_of_processor(n);
  const std::int64_t groups = ceil_div(n, length);
  // Where n is no multiple of L, a last group without a key in the last round writes its count.
  const std::int64_t compared = n * n + (n % length == 0 ? 0 : n);
  return {length + ceil_lg(groups) + 1, n * groups, compared + n * (groups - 1) + n};
}

}  // namespace

void register_pram_rank_sort(Registry& registry) {
  PramSide row;
  row.summary = "stable sort by counting the keys before each key";
  row.variants = {
      pram_variant(
          "sum_crcw", "a processor for every pair of keys adds to the rank of one",
          growth::of_n("2 steps, n^2 processors", growth::one, growth::square, growth::square),
          "theory 3.7 (S2); seed 002", {PramAccess::sum}),
      pram_variant("linear", "a processor for every key, which all read key after key",
                   growth::of_n("n + 1 steps, n processors, work n^2 + n", growth::linear,
                                growth::linear, growth::square),
                   "seed 002, repaired; theory 3.9", machines_of_crew()),
      pram_variant("rotated",
                   "a processor for every key; in step t processor j reads key (j + t) mod n",
                   growth::of_n("n + 1 steps, n processors, work n^2 + n", growth::linear,
                                growth::linear, growth::square),
                   "seed 002, repaired; theory 3.9", machines_of_erew()),
      pram_variant("logarithmic",
                   "n / lg n processors for every key, whose counts are added up as a tree",
                   growth::of_n(
                       "L + ceil(lg ceil(n/L)) + 1 steps, n ceil(n/L) processors, L = floor(lg n): "
                       "O(log n), n^2/log n",
                       growth::log, [](double n) { return n * n / lg(n); }, growth::square),
                   "theory 3.9", machines_of_crew())};
  row.inputs = key_kinds();
  row.parameters = key_parameters();
  row.check = [](const RunConfig& config) {
    refuse_count_reading(config);
    refuse_square_overflow(config);
    check_keys(config);
  };
  row.run = [](const RunConfig& config, const PramOptions& options) {
    return run_sort(config, options, [&](Pram& pram, const PramArray& x, const KeyRange&) {
      if (config.variant == "linear") return linear_rank_sort(pram, x, Order::together);
      if (config.variant == "rotated") return linear_rank_sort(pram, x, Order::rotated);
      if (config.variant == "logarithmic") return logarithmic_rank_sort(pram, x);
      return rank_sort(pram, x).y;
    });
  };
  row.closed_form = [](const RunConfig& config) {
    if (config.variant == "sum_crcw") return rank_sort_form(config.n);
    return config.variant == "logarithmic" ? logarithmic_rank_sort_form(config.n)
                                           : linear_rank_sort_form(config.n);
  };
  registry.add("rank_sort", std::move(row));
}

}  // namespace agpusim
