#include <algorithm>
#include <limits>
#include <optional>

#include "agpusim/algorithms/common/pram/bounds.hpp"
#include "agpusim/algorithms/common/pram/numbers.hpp"
#include "agpusim/algorithms/common/pram/prefix_sums.hpp"
#include "agpusim/algorithms/common/pram/row.hpp"
#include "agpusim/algorithms/common/pram/scan_networks.hpp"
#include "agpusim/algorithms/common/pram/words.hpp"
#include "agpusim/algorithms/registry.hpp"

namespace agpusim {
namespace {

using Numbers = std::vector<std::int64_t>;

std::int64_t init_of(const RunConfig& config) { return config.parameters.at("init"); }

bool in_place(const RunConfig& config) {
  return config.variant == "hillis_steele" || config.variant == "blelloch";
}

Numbers reference(const RunConfig& config, const Numbers& x) {
  Numbers y;
  std::int64_t sum = init_of(config);
  for (const std::int64_t value : x) y.push_back(sum += value);
  return y;
}

Numbers program(const RunConfig& config, Pram& pram, const PramArray& x) {
  const std::int64_t init = init_of(config);
  if (in_place(config)) {
    if (init != 0 && x.size() > 0) {
      pram.step("start value", 1,
                [&](PramProcessor& p) { p.write(x, 0, add_words(p.read(x, 0), init)); });
    }
    if (config.variant == "blelloch") {
      scan_by_sweeps(pram, x);
    } else {
      scan_by_doubling(pram, x);
    }
    return pram.values(x);
  }
  const PramArray y = pram.array(x.size(), "y");
  prefix_sums(pram, parse_prefix_sums(config.variant), x, y,
              init != 0 ? std::optional(init) : std::nullopt);
  return pram.values(y);
}

PramForm closed_form(const RunConfig& config) {
  const bool has_init = init_of(config) != 0;
  if (!in_place(config)) {
    return prefix_sums_form(parse_prefix_sums(config.variant), config.n, has_init);
  }
  PramForm form = config.variant == "blelloch" ? scan_by_sweeps_form(config.n)
                                               : scan_by_doubling_form(config.n);
  if (has_init && config.n > 0) {
    ++form.steps;
    ++form.work;
    form.processors = std::max<std::int64_t>(form.processors, 1);
  }
  return form;
}

}  // namespace

void register_pram_scan(Registry& registry) {
  PramSide row =
      side_on_numbers({number_kinds(), generate_numbers}, program, reference, closed_form);
  row.summary = "inclusive prefix sums of n numbers";
  row.variants = {
      pram_variant("dyadic", "PS1: sums of aligned intervals, of which every prefix is composed",
                   growth::of_n("2 steps, n(floor(lg n)+1) processors", growth::one, growth::m_log,
                                growth::m_log),
                   "theory 3.2", {PramAccess::sum}),
      pram_variant("nested",
                   "PS2: PS1 in nested blocks of n, lg n, lg lg n, ... elements, all at once",
                   growth::of_n("4 steps, O(n log* n) processors", growth::one, growth::m_log_star,
                                growth::m_log_star),
                   "theory 3.2; Chandra, Fortune and Lipton, ICALP 1983", {PramAccess::sum}),
      pram_variant("log_star", "PS3: the levels of PS2 one after the other",
                   growth::of_n("4t+1 steps for t <= log* n + 1 levels, at most 2n processors",
                                growth::log_star, growth::linear, growth::m_log_star),
                   "theory 3.2", {PramAccess::sum}),
      pram_variant("work_optimal", "PS4: PS3 on the sums of groups of log* n elements",
                   growth::of_n("O(log* n) steps, O(n/log* n) processors, work O(n)",
                                growth::log_star, growth::m_over_log_star, growth::linear),
                   "theory 3.2; bound after Kozakai 2022: Eisenstat 2007 (not seen)",
                   {PramAccess::sum}),
      pram_variant("hillis_steele",
                   "every element adds the one 2^r before it, r = 0, 1, ..., in place",
                   growth::of_n("ceil(lg n) steps, n-1 processors, work O(n log n)", growth::log,
                                growth::linear, growth::m_log),
                   "Hillis and Steele, Comm. ACM 29(12), 1986", machines_of_crew()),
      pram_variant(
          "blelloch", "an up-sweep and a down-sweep over a binary tree, in place",
          growth::of_n("floor(lg n) + floor(lg(n/3)) + 1 steps, floor(n/2) processors, work < 2n",
                       growth::log, growth::linear, growth::linear),
          "Blelloch, CMU-CS-90-190, 1990; Brent and Kung, IEEE Trans. Comput. C-31(3), 1982",
          machines_of_erew())};
  row.parameters = {{"init",
                     "what comes before element 0; if not 0, dyadic takes n processors more, the "
                     "scans in place a step more",
                     [](const RunConfig&) { return std::int64_t{0}; },
                     std::numeric_limits<std::int64_t>::min()}};
  registry.add("scan", std::move(row));
}

}  // namespace agpusim
