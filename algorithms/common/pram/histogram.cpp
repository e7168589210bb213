#include "agpusim/algorithms/common/pram/histogram.hpp"

namespace agpusim {

void clear(Pram& pram, std::string_view step_name, const PramArray& cells) {
  pram.step(step_name, cells.size(), [&](PramProcessor& p) { p.write(cells, p.id(), 0); });
}

void count_values(Pram& pram, std::string_view step_name, const PramArray& x, std::int64_t min,
                  const PramArray& h) {
  pram.step(step_name, x.size(), [&](PramProcessor& p) { p.write(h, p.read(x, p.id()) - min, 1); });
}

}  // namespace agpusim
