#include "agpusim/commands/sweep/series.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <tuple>
#include <utility>

namespace agpusim::sweep {

bool same_series(const Row& a, const Row& b) {
  return a.run.program == b.run.program && a.run.config.type == b.run.config.type &&
         a.run.config.input == b.run.config.input;
}

void sort_rows(std::vector<Row>& rows) {
  const auto place = [](const Row& row) {
    const Run& run = row.run;
    const AgpuSpec spec = run.on_pram() ? AgpuSpec{0, 0, 0, 0, 0} : run.config.spec;
    return std::tuple(run.program, run.config.type, run.config.input, spec.cores, spec.block_words,
                      spec.shared_words, spec.word_bits, spec.width, run.machine(), run.config.n,
                      run.config.parameters, row.key);
  };
  std::vector<decltype(place(rows.front()))> places;
  for (const Row& row : rows) places.push_back(place(row));
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return places[a] < places[b]; });
  std::vector<Row> sorted;
  for (const std::size_t i : order) sorted.push_back(std::move(rows[i]));
  rows = std::move(sorted);
}

}  // namespace agpusim::sweep
