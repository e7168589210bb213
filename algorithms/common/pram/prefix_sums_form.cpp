#include <algorithm>
#include <map>

#include "agpusim/algorithms/common/pram/forms.hpp"
#include "agpusim/algorithms/common/pram/logarithms.hpp"
#include "agpusim/algorithms/common/pram/prefix_sums.hpp"
#include "agpusim/model/cost/units.hpp"

// The cost of prefix sums from m alone. The blocks of PS2 are counted by their sizes, of which a
// level has a handful, not listed as the program does.
namespace agpusim {
namespace {

/// q(⌊lg q⌋+1): the processors of PS1.
std::int64_t dyadic_processors(std::int64_t q) { return q * (floor_lg(q) + 1); }

/// The sub-blocks of all blocks of one level.
struct Siblings {
  std::int64_t processors = 0;  ///< processors of PS1 among them
  std::int64_t adding = 0;      ///< processors that add an interval to a prefix
  std::int64_t elements = 0;    ///< in sub-blocks that are not the first of their block
};

/// For every level 1..t its blocks in the blocks of the level above.
std::vector<Siblings> sibling_levels(std::int64_t m) {
  std::vector<Siblings> result;
  std::map<std::int64_t, std::int64_t> blocks = {{m, 1}};  // how many there are of each size
  for (std::int64_t size = m; size > 1;) {
    size = ceil_lg(size);
    std::map<std::int64_t, std::int64_t> parts;
    Siblings level;
    for (const auto& [length, count] : blocks) {
      const std::int64_t q = ceil_div(length, size);
      level.processors += count * dyadic_processors(q);
      level.adding += count * set_bits_below(q);
      level.elements += count * (length - std::min(length, size));
      parts[size] += count * (length / size);
      if (length % size != 0) parts[length % size] += count;
    }
    result.push_back(level);
    blocks = std::move(parts);
  }
  return result;
}

PramForm dyadic_form(std::int64_t m, bool has_init) {
  const std::int64_t intervals = dyadic_processors(m);
  const std::int64_t init = has_init ? m : 0;
  return sequence_form(
      {step_form(intervals), step_form(intervals + init, set_bits_below(m + 1) + init)});
}

PramForm nested_form(std::int64_t m) {
  const std::vector<Siblings> levels = sibling_levels(m);
  const auto t = static_cast<std::int64_t>(levels.size());
  Siblings all;
  for (const Siblings& level : levels) {
    all.processors += level.processors;
    all.adding += level.adding;
    all.elements += level.elements;
  }
  return sequence_form({step_form(t * m), step_form(all.processors),
                        step_form(all.processors, all.adding),
                        step_form((t + 1) * m, m + all.elements)});
}

PramForm log_star_form(std::int64_t m) {
  PramForm form = step_form(m);
  for (const Siblings& level : sibling_levels(m)) {
    append_form(form, sequence_form({step_form(m), step_form(level.processors),
                                     step_form(level.processors, level.adding),
                                     step_form(m, level.elements)}));
  }
  return form;
}

PramForm work_optimal_form(std::int64_t m) {
  const std::int64_t g = m == 1 ? 1 : log_star(m);
  const std::int64_t groups = ceil_div(m, g);
  const PramForm one_each{g, groups, m};  // every group takes its elements one after the other
  return sequence_form({one_each, step_form(groups), log_star_form(groups), one_each});
}

}  // namespace

PramForm prefix_sums_form(PrefixSums kind, std::int64_t m, bool has_init) {
  if (m == 0) return {};
  switch (kind) {
    case PrefixSums::dyadic:
      return dyadic_form(m, has_init);
    case PrefixSums::nested:
      return nested_form(m);
    case PrefixSums::log_star:
      return log_star_form(m);
    case PrefixSums::work_optimal:
      return work_optimal_form(m);
  }
  return {};
}

}  // namespace agpusim
