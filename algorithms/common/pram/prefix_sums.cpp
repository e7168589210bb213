#include "agpusim/algorithms/common/pram/prefix_sums.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "agpusim/algorithms/common/pram/dyadic_sums.hpp"
#include "agpusim/algorithms/common/pram/logarithms.hpp"
#include "agpusim/algorithms/common/pram/nested_blocks.hpp"
#include "agpusim/algorithms/common/pram/words.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim {
namespace {

/// The dyadic prefix sums (PS1, exclusive) of the sub-blocks of every block, for some levels of
/// NestedBlocks at once: 2 steps of q(⌊lg q⌋+1) processors for a block of q sub-blocks.
class SiblingSums {
 public:
  /// For the blocks of the levels first_level..last_level-1 (of 1..t, the level of the sub-blocks).
  /// The sums and prefixes of level i have their cells at (i - first_level)·m + name of the block.
  SiblingSums(const NestedBlocks& blocks, std::int64_t first_level, std::int64_t last_level);

  /// q(⌊lg q⌋+1), summed over the families.
  [[nodiscard]] std::int64_t processors() const {
    return static_cast<std::int64_t>(family_of_.size());
  }
  /// Cells needed for the dyadic sums.
  [[nodiscard]] std::int64_t cells() const { return cells_; }

  /// prefixes[b] = sums of the blocks before b in the same family. A block that is the first of its
  /// family has no prefix: its cell is not written.
  void run(Pram& pram, const PramArray& sums, const PramArray& dyadic,
           const PramArray& prefixes) const;

 private:
  /// The sub-blocks of one block.
  struct Family {
    std::int64_t first_block;      ///< cell of the first sub-block
    std::int64_t block_size;       ///< distance to the cell of the next one
    std::int64_t blocks;           ///< q
    std::int64_t first_processor;  ///< processor l·q + j: level l, sub-block j
    std::int64_t first_cell;       ///< cell of the first of its dyadic sums
  };
  /// What a processor stands for: level l and sub-block j of a family.
  struct Place {
    const Family& family;
    std::int64_t l;
    std::int64_t j;

    [[nodiscard]] std::int64_t block() const { return family.first_block + j * family.block_size; }
  };
  [[nodiscard]] Place place(std::int64_t processor) const;

  std::vector<Family> families_;
  std::vector<std::int64_t> family_of_;  ///< family of every processor
  std::int64_t cells_ = 0;
};

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

constexpr std::array<std::pair<PrefixSums, const char*>, 4> kind_names = {
    {{PrefixSums::dyadic, "dyadic"},
     {PrefixSums::nested, "nested"},
     {PrefixSums::log_star, "log_star"},
     {PrefixSums::work_optimal, "work_optimal"}}};

/// PS1. The set bits of k+1 cut [0, k+1) into aligned intervals: bit l stands for the interval
/// number ((k+1) >> l) - 1 of length 2^l.
void dyadic(Pram& pram, const PramArray& x, const PramArray& y, std::optional<std::int64_t> init) {
  const std::int64_t m = y.size();
  const DyadicSums sums(m);
  const PramArray s = pram.array(sums.cells(), "S");
  pram.step("sums of aligned intervals", m * sums.levels(), [&](PramProcessor& p) {
    const std::int64_t l = p.id() / m;
    const std::int64_t i = p.id() - l * m;
    p.write(s, sums.cell(l, i >> l), p.read(x, i));
  });
  const std::int64_t writers = sums.levels() + (init ? 1 : 0);
  pram.step("prefixes from intervals", m * writers, [&](PramProcessor& p) {
    const std::int64_t l = p.id() / m;
    const std::int64_t k = p.id() - l * m;
    if (l == sums.levels()) {
      p.write(y, k, *init);
    } else if ((((k + 1) >> l) & 1) != 0) {
      p.write(y, k, p.read(s, sums.cell(l, ((k + 1) >> l) - 1)));
    }
  });
}

/// PS2: the sums of the blocks of all levels, their prefixes among siblings, and for every element
/// the prefixes of the blocks that hold it.
void nested(Pram& pram, const PramArray& x, const PramArray& y, std::int64_t init) {
  const std::int64_t m = y.size();
  const auto t = static_cast<std::int64_t>(nested_sizes(m).size()) - 1;
  const PramArray sums = pram.array(t * m, "block sums");
  const PramArray prefixes = pram.array(t * m, "block prefixes");
  const NestedBlocks blocks(m);
  const SiblingSums siblings(blocks, 1, t + 1);
  const PramArray dyadic_sums = pram.array(siblings.cells(), "S");
  pram.step("sums of blocks", t * m, [&](PramProcessor& p) {
    const std::int64_t level = p.id() / m;
    const std::int64_t i = p.id() - level * m;
    p.write(sums, level * m + blocks.block_of(level + 1, i), p.read(x, i));
  });
  siblings.run(pram, sums, dyadic_sums, prefixes);
  pram.step("prefixes from blocks", (t + 1) * m, [&](PramProcessor& p) {
    const std::int64_t level = p.id() / m;
    const std::int64_t k = p.id() - level * m;
    if (level == t) {
      p.write(y, k, add_words(p.read(x, k), init));
    } else if (const std::int64_t block = blocks.block_of(level + 1, k);
               block != blocks.block_of(level, k)) {  // the first of its siblings has no prefix
      p.write(y, k, p.read(prefixes, level * m + block));
    }
  });
}

/// PS3: the levels of PS2 one after the other.
void log_star_time(Pram& pram, const PramArray& x, const PramArray& y, std::int64_t init) {
  const std::int64_t m = y.size();
  const PramArray sums = pram.array(m, "block sums");
  const PramArray prefixes = pram.array(m, "block prefixes");
  const NestedBlocks blocks(m);
  pram.step("own values", m,
            [&](PramProcessor& p) { p.write(y, p.id(), add_words(p.read(x, p.id()), init)); });
  for (std::int64_t level = 1; level <= blocks.levels(); ++level) {
    const SiblingSums siblings(blocks, level, level + 1);
    const PramArray dyadic_sums = pram.array(siblings.cells(), "S");
    pram.step("sums of blocks", m, [&](PramProcessor& p) {
      p.write(sums, blocks.block_of(level, p.id()), p.read(x, p.id()));
    });
    siblings.run(pram, sums, dyadic_sums, prefixes);
    pram.step("prefixes from blocks", m, [&](PramProcessor& p) {
      const std::int64_t block = blocks.block_of(level, p.id());
      if (block == blocks.block_of(level - 1, p.id())) return;
      p.write(y, p.id(), add_words(p.read(y, p.id()), p.read(prefixes, block)));
    });
  }
}

/// PS4: processor b folds the elements b·g .. b·g+g-1 one after the other, PS3 on the ⌈m/g⌉ sums.
void work_optimal(Pram& pram, const PramArray& x, const PramArray& y, std::int64_t init) {
  const std::int64_t m = y.size();
  const std::int64_t g = std::max<std::int64_t>(1, log_star(m));
  const std::int64_t groups = ceil_div(m, g);
  const PramArray local = pram.array(m, "sums in groups");
  const PramArray sums = pram.array(groups, "group sums");
  const PramArray prefixes = pram.array(groups, "group prefixes");
  const auto with_element = [&](std::int64_t t) { return ceil_div(m - t, g); };
  for (std::int64_t t = 0; t < g; ++t) {
    pram.step("sums in groups", with_element(t), [&](PramProcessor& p) {
      const std::int64_t i = p.id() * g + t;
      p.write(local, i, add_words(p.read(x, i), t > 0 ? p.read(local, i - 1) : 0));
    });
  }
  pram.step("group sums", groups, [&](PramProcessor& p) {
    p.write(sums, p.id(), p.read(local, std::min(m, (p.id() + 1) * g) - 1));
  });
  log_star_time(pram, sums, prefixes, 0);
  for (std::int64_t t = 0; t < g; ++t) {
    pram.step("prefixes from groups", with_element(t), [&](PramProcessor& p) {
      const std::int64_t i = p.id() * g + t;
      const std::int64_t before = p.id() > 0 ? p.read(prefixes, p.id() - 1) : 0;
      p.write(y, i, add_words(add_words(p.read(local, i), before), init));
    });
  }
}

}  // namespace

void prefix_sums(Pram& pram, PrefixSums kind, const PramArray& x, const PramArray& y,
                 std::optional<std::int64_t> init) {
  if (y.size() == 0) return;
  switch (kind) {
    case PrefixSums::dyadic:
      return dyadic(pram, x, y, init);
    case PrefixSums::nested:
      return nested(pram, x, y, init.value_or(0));
    case PrefixSums::log_star:
      return log_star_time(pram, x, y, init.value_or(0));
    case PrefixSums::work_optimal:
      return work_optimal(pram, x, y, init.value_or(0));
  }
}

std::string to_string(PrefixSums kind) {
  for (const auto& [known, name] : kind_names) {
    if (known == kind) return name;
  }
  throw std::logic_error("a kind of prefix sums has no name");
}

PrefixSums parse_prefix_sums(const std::string& name) {
  for (const auto& [kind, known] : kind_names) {
    if (known == name) return kind;
  }
  throw std::logic_error("no prefix sums have the name '" + name + "'");
}

}  // namespace agpusim
