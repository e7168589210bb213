#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/algorithms/common/pram/bounds.hpp"
#include "agpusim/algorithms/common/pram/numbers.hpp"
#include "agpusim/algorithms/common/pram/row.hpp"
#include "agpusim/algorithms/pram_only/list_ranking/jumping.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/error.hpp"

// x[i] is the successor of node i in a list, -1 for the last; the rank of a node is the number of
// nodes after it.
namespace agpusim {
namespace {

using Numbers = std::vector<std::int64_t>;

/// Nodes by their rank, or a UsageError when the successors are not one list.
Numbers nodes_by_rank(const Numbers& next) {
  const auto n = static_cast<std::int64_t>(next.size());
  Numbers before(next.size(), -1);
  std::int64_t last = -1;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t s = next[static_cast<std::size_t>(i)];
    if (s < -1 || s >= n) {
      throw UsageError(fmt::format("x[{}] = {} is no node of 0..{}, nor -1", i, s, n - 1));
    }
    std::int64_t& found = s == -1 ? last : before[static_cast<std::size_t>(s)];
    if (found != -1) {
      throw UsageError(fmt::format("x[{}] = x[{}] = {}: no two nodes of a list have one successor",
                                   found, i, s));
    }
    found = i;
  }
  Numbers nodes;
  for (; last != -1; last = before[static_cast<std::size_t>(last)]) nodes.push_back(last);
  if (nodes.size() != next.size()) {
    throw UsageError(
        fmt::format("only {} of {} nodes are on the list that ends with -1", nodes.size(), n));
  }
  return nodes;
}

Numbers reference(const Numbers& next) {
  Numbers rank(next.size());
  std::int64_t r = 0;
  for (const std::int64_t node : nodes_by_rank(next)) rank[static_cast<std::size_t>(node)] = r++;
  return rank;
}

/// random (a list through a permutation of the nodes), sorted (0, 1, 2, ...), reversed, or given.
Numbers generate_list(const RunConfig& config) {
  if (is_given(config.input)) {
    Numbers next = generate_numbers(config);
    static_cast<void>(nodes_by_rank(next));
    return next;
  }
  Numbers order(static_cast<std::size_t>(config.n));
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = config.input == "reversed" ? config.n - 1 - static_cast<std::int64_t>(i)
                                          : static_cast<std::int64_t>(i);
    if (config.input == "random") std::swap(order[i], order[random_bits(config.seed, i) % (i + 1)]);
  }
  Numbers next(order.size(), -1);
  for (std::size_t i = 1; i < order.size(); ++i) {
    next[static_cast<std::size_t>(order[i - 1])] = order[i];
  }
  return next;
}

Numbers rank_by_jumping(Pram& pram, const PramArray& next) {
  const std::int64_t n = next.size();
  const PramArray rank = pram.array(n, "rank");
  list_ranking::Links links(n);
  pram.step("first link", n, [&](PramProcessor& p) {
    const auto self = static_cast<std::size_t>(p.id());
    links.successor[self] = p.read(next, p.id());
    links.distance[self] = links.successor[self] == -1 ? 0 : 1;
    p.write(rank, p.id(), links.distance[self]);
  });
  list_ranking::jump(pram, links, next, rank);
  return pram.values(rank);
}

/// Limit of the program whose cost is found by going through the list.
constexpr std::int64_t largest_contracted = std::int64_t{1} << 22;

PramForm closed_form(const RunConfig& config) {
  if (config.variant == "wyllie") return list_ranking::jump_form(config.n);
  Numbers nodes = nodes_by_rank(generate_list(config));
  std::reverse(nodes.begin(), nodes.end());
  return list_ranking::rank_by_contraction_form(std::move(nodes), config.seed);
}

}  // namespace

namespace list_ranking {

void jump(Pram& pram, Links& links, const PramArray& next, const PramArray& rank) {
  const std::int64_t n = next.size();
  for (std::int64_t reach = 1; reach < n; reach *= 2) {
    pram.step("add ranks", n, [&](PramProcessor& p) {
      const auto self = static_cast<std::size_t>(p.id());
      if (links.successor[self] == -1) return;
      links.distance[self] += p.read(rank, links.successor[self]);
      p.write(rank, p.id(), links.distance[self]);
    });
    if (2 * reach >= n) break;
    pram.step("double links", n, [&](PramProcessor& p) {
      const auto self = static_cast<std::size_t>(p.id());
      if (links.successor[self] == -1) return;
      links.successor[self] = p.read(next, links.successor[self]);
      p.write(next, p.id(), links.successor[self]);
    });
  }
}

PramForm jump_form(std::int64_t n) {
  if (n <= 1) return {n, n, n};
  const std::int64_t rounds = ceil_lg(n);
  const std::int64_t last = std::int64_t{1} << (rounds - 1);  // reach of the last round
  // n - 2^r nodes have a successor in round r.
  return {2 * rounds, n, n + 2 * (rounds * n - (2 * last - 1)) - (n - last)};
}

}  // namespace list_ranking

void register_pram_list_ranking(Registry& registry) {
  PramSide row = side_on_numbers(
      {{"random", "sorted", "reversed"}, generate_list},
      [](const RunConfig& config, Pram& pram, const PramArray& next) {
        return config.variant == "wyllie"
                   ? rank_by_jumping(pram, next)
                   : list_ranking::rank_by_contraction(pram, next, config.seed);
      },
      reference, closed_form);
  row.summary = "for each of n nodes of a linked list the number of nodes after it";
  row.variants = {
      pram_variant("wyllie", "pointer jumping: every node doubles its link, round after round",
                   growth::of_n("2 ceil(lg n) steps, n processors, work O(n log n)", growth::log,
                                growth::linear, growth::m_log),
                   "Wyllie, PhD thesis, Cornell University, 1979", machines_of_erew()),
      pram_variant("random_mate", "nodes take their successors out until n/lg n are left",
                   growth::of_n("O(log n log log n) steps, n processors, work O(n), expected",
                                growth::log_times_log_log, growth::linear, growth::linear),
                   "Miller and Reif, FOCS 1985", machines_of_erew())};
  row.check = [usual = row.check](const RunConfig& config) {
    if (config.variant == "random_mate" && config.n > largest_contracted) {
      throw UsageError(
          fmt::format("list_ranking (random_mate): n = {}, at most 2^22 is possible; "
                      "wyllie takes more",
                      config.n));
    }
    usual(config);
  };
  registry.add("list_ranking", std::move(row));
}

}  // namespace agpusim
