#include "agpusim/algorithms/common/pram/forms.hpp"
#include "agpusim/algorithms/common/pram/integer_sorts.hpp"

namespace agpusim {

PramForm hp_sort_form(std::int64_t n, std::int64_t range, PrefixSums kind) {
  if (n == 0) return {};
  const PramForm cleared = step_form(range + n + 1);
  return sequence_form({cleared, step_form(n), prefix_sums_form(kind, range), step_form(range),
                        prefix_sums_form(kind, n, true)});
}

PramForm one_hp_sort_form(std::int64_t n, std::int64_t range, PrefixSums kind) {
  if (n == 0) return {};
  return sequence_form(
      {step_form(range), step_form(n), prefix_sums_form(kind, range), step_form(range)});
}

PramForm zero_compressed_hp_sort_form(std::int64_t n, std::int64_t range, std::int64_t distinct,
                                      PrefixSums kind) {
  if (n == 0) return {};
  const PramForm cleared = step_form(range + n);
  const PramForm marked = step_form(range);
  const PramForm compressed = step_form(2 * range);
  const PramForm rises = step_form(2 * distinct - 1);
  return sequence_form({cleared, step_form(n), marked, prefix_sums_form(kind, range), compressed,
                        prefix_sums_form(kind, distinct), rises, prefix_sums_form(kind, n)});
}

PramForm rank_sort_form(std::int64_t n) { return sequence_form({step_form(n * n), step_form(n)}); }

}  // namespace agpusim
