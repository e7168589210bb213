#include "agpusim/algorithms/common/pram/sibling_sums.hpp"

#include "agpusim/algorithms/common/pram/dyadic_sums.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim {

SiblingSums::SiblingSums(const NestedBlocks& blocks, std::int64_t first_level,
                         std::int64_t last_level) {
  const std::int64_t m = blocks.elements();
  for (std::int64_t level = first_level; level < last_level; ++level) {
    const std::int64_t cell_of_level = (level - first_level) * m;
    for (std::int64_t begin = 0; begin < m;) {
      std::int64_t end = begin + 1;
      while (end < m && blocks.block_of(level - 1, end) == begin) ++end;
      const std::int64_t q = ceil_div(end - begin, blocks.size(level));
      families_.push_back({cell_of_level + begin, blocks.size(level), q, processors(), cells_});
      const DyadicSums sums(q);
      cells_ += sums.cells();
      family_of_.resize(family_of_.size() + static_cast<std::size_t>(q * sums.levels()),
                        static_cast<std::int64_t>(families_.size()) - 1);
      begin = end;
    }
  }
}

SiblingSums::Place SiblingSums::place(std::int64_t processor) const {
  const auto index = static_cast<std::size_t>(processor);
  const Family& family = families_[static_cast<std::size_t>(family_of_[index])];
  const std::int64_t number = processor - family.first_processor;
  const std::int64_t l = number / family.blocks;
  return {family, l, number - l * family.blocks};
}

void SiblingSums::run(Pram& pram, const PramArray& sums, const PramArray& dyadic,
                      const PramArray& prefixes) const {
  pram.step("sums of 2^l sub-blocks", processors(), [&](PramProcessor& p) {
    const Place at = place(p.id());
    const std::int64_t cell = DyadicSums(at.family.blocks).cell(at.l, at.j >> at.l);
    p.write(dyadic, at.family.first_cell + cell, p.read(sums, at.block()));
  });
  pram.step("prefixes of the sub-blocks", processors(), [&](PramProcessor& p) {
    const Place at = place(p.id());
    if (((at.j >> at.l) & 1) == 0) return;
    const std::int64_t cell = DyadicSums(at.family.blocks).cell(at.l, (at.j >> at.l) - 1);
    p.write(prefixes, at.block(), p.read(dyadic, at.family.first_cell + cell));
  });
}

}  // namespace agpusim
