#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/algorithms/common/pram/nested_blocks.hpp"
#include "agpusim/model/pram/machine.hpp"

namespace agpusim {

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

}  // namespace agpusim
