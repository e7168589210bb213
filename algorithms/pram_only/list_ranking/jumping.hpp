#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/model/pram/run.hpp"

namespace agpusim::list_ranking {

/// What a processor keeps of its node: the successor, -1 for none, and how many nodes it is away.
struct Links {
  explicit Links(std::int64_t nodes)
      : successor(static_cast<std::size_t>(nodes)), distance(successor.size()) {}
  std::vector<std::int64_t> successor;
  std::vector<std::int64_t> distance;
};

/// Pointer jumping: after round r a node knows its rank if it is below 2^r, else that of the 2^r-th
/// node after it is missing. `links` are in the registers, in `next` and, the distances, in `rank`,
/// which receives the result. No two nodes have one successor, so that no cell has two readers.
void jump(Pram& pram, Links& links, const PramArray& next, const PramArray& rank);

/// The cost of jump and one step of all nodes before it.
[[nodiscard]] PramForm jump_form(std::int64_t nodes);

/// Ranks by random mate: nodes flip coins, a node with 0 takes its successor with 1 out of the list
/// and adds its distance to its own; what is left is moved together. When at most n/lg n nodes are
/// left these jump, and nodes come back in reverse order. `next` is overwritten.
[[nodiscard]] std::vector<std::int64_t> rank_by_contraction(Pram& pram, const PramArray& next,
                                                            std::uint64_t seed);

/// The cost of rank_by_contraction: how many nodes each round leaves is found by going through the
/// list and flipping the same coins.
[[nodiscard]] PramForm rank_by_contraction_form(std::vector<std::int64_t> nodes_in_order,
                                                std::uint64_t seed);

}  // namespace agpusim::list_ranking
