#include "agpusim/algorithms/integer_sorts/one_hp_sort/cost.hpp"

#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/indexed_form.hpp"
#include "agpusim/algorithms/common/segment_form.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim::one_hp_sort {

PhaseForm run_heads_form(const AgpuSpec& spec, const Cut& cut,
                         const std::vector<std::int32_t>& prefixes, bool refuse_duplicates) {
  const Segments& segments = cut.host();
  const std::int64_t words = spec.words_per_element(4);
  return form_of_tasks(spec, "place_run_heads", segments.tasks, 0, [&](std::int64_t task) {
    const std::int64_t first = segments.first(task);
    const std::int64_t length = segments.length(task);
    Bill bill(spec);
    bill.loop_rows(length);
    bill.global_rows(&Counts::global_read, length, first * words, words);
    charge_previous(bill, spec, first, length, words);
    bill.rounds_of_rows(length);
    bill.alu_rows(refuse_duplicates ? 4 : 3, length);  // key, count, != 0, > 1
    if (refuse_duplicates) {                           // no lane finds a repeated key
      const std::int64_t rows = ceil_div(length, spec.width);
      bill.alu(rows, 0, 0);
      bill.idle(rows, 0);
    }
    std::vector<std::int32_t> heads(static_cast<std::size_t>(length), no_element);
    for (std::int64_t i = 0; i < length; ++i) {
      const auto v = static_cast<std::size_t>(first + i);
      const std::int32_t before = v > 0 ? prefixes[v - 1] : 0;
      if (prefixes[v] != before) heads[static_cast<std::size_t>(i)] = before;
    }
    IndexedAccess(spec, words).global(bill, &Counts::global_write, heads);
    return bill.counts();
  });
}

}  // namespace agpusim::one_hp_sort
