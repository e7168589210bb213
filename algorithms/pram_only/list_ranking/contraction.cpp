#include <algorithm>
#include <utility>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/pram/forms.hpp"
#include "agpusim/algorithms/common/pram/logarithms.hpp"
#include "agpusim/algorithms/common/pram/scan_networks.hpp"
#include "agpusim/algorithms/pram_only/list_ranking/jumping.hpp"

namespace agpusim::list_ranking {
namespace {

using Numbers = std::vector<std::int64_t>;

/// The coin of a node in a round: 0 or 1.
std::int64_t coin(std::uint64_t seed, std::size_t round, std::int64_t node) {
  return static_cast<std::int64_t>(
      random_bits(seed + 1'000'003 * (round + 1), static_cast<std::uint64_t>(node)) & 1);
}

bool is_short(std::int64_t nodes, std::int64_t n) {
  return nodes <= n / std::max<std::int64_t>(1, floor_lg(n));
}

constexpr std::int64_t taken_out = 2;  // what is written over the coin

/// A list of some nodes, and what their processors remember of a round.
struct Level {
  PramArray next;
  PramArray distance;
  PramArray rank;
  Numbers mate;    // the successor that was taken out, -1 for none
  Numbers before;  // distance to it
  Numbers place;   // in the next level, -1 of a node that was taken out

  [[nodiscard]] std::int64_t size() const { return next.size(); }
};

class Contraction {
 public:
  Contraction(Pram& pram, std::uint64_t seed) : pram_(pram), seed_(seed) {}

  Numbers run(const PramArray& next) {
    const std::int64_t n = next.size();
    levels_.push_back(level_of(next, pram_.array(n, "distance")));
    step("first link", [&](PramProcessor& p, std::size_t, const Level& level) {
      p.write(level.distance, p.id(), p.read(level.next, p.id()) == -1 ? 0 : 1);
    });
    while (!is_short(levels_.back().size(), n)) contract();
    rank_rest();
    while (levels_.size() > 1) expand();
    return pram_.values(levels_.front().rank);
  }

 private:
  static Level level_of(const PramArray& next, const PramArray& distance) {
    Level level;
    level.next = next;
    level.distance = distance;
    level.mate.assign(static_cast<std::size_t>(next.size()), -1);
    level.before = level.place = level.mate;
    return level;
  }

  /// A step of the nodes of the last level; a processor without anything to do counts as well.
  template <class Body>
  void step(const char* name, Body body) {
    Level& level = levels_.back();
    pram_.step(name, level.size(), [&](PramProcessor& p) {
      p.compute();
      body(p, static_cast<std::size_t>(p.id()), level);
    });
  }

  void contract() {
    const std::int64_t size = levels_.back().size();
    const std::size_t round = levels_.size() - 1;
    const PramArray state = pram_.array(size, "state");
    const PramArray index = pram_.array(size, "index");
    Numbers next(static_cast<std::size_t>(size));  // registers
    step("flip coins", [&](PramProcessor& p, std::size_t, Level&) {
      p.write(state, p.id(), coin(seed_, round, p.id()));
    });
    step("take successors out", [&](PramProcessor& p, std::size_t self, Level& level) {
      next[self] = p.read(level.next, p.id());
      if (coin(seed_, round, p.id()) == 1 || next[self] == -1) return;
      if (p.read(state, next[self]) == 0) return;
      level.mate[self] = next[self];
      p.write(state, next[self], taken_out);
    });
    step("add their distances", [&](PramProcessor& p, std::size_t self, Level& level) {
      if (level.mate[self] == -1) return;
      level.before[self] = p.read(level.distance, p.id());
      p.write(level.distance, p.id(),
              level.before[self] + p.read(level.distance, level.mate[self]));
    });
    step("skip them", [&](PramProcessor& p, std::size_t self, Level& level) {
      if (level.mate[self] != -1) next[self] = p.read(level.next, level.mate[self]);
    });
    step("mark who is left", [&](PramProcessor& p, std::size_t, Level&) {
      p.write(index, p.id(), p.read(state, p.id()) == taken_out ? 0 : 1);
    });
    const std::vector<std::int64_t> left = pram_.values(index);
    scan_by_sweeps(pram_, index);
    step("read the place", [&](PramProcessor& p, std::size_t self, Level& level) {
      const std::int64_t place = p.read(index, p.id()) - 1;
      if (left[self] == 1) level.place[self] = place;
    });
    const std::int64_t rest = pram_.values(index).back();
    Level smaller = level_of(pram_.array(rest, "next"), pram_.array(rest, "distance"));
    step("move links", [&](PramProcessor& p, std::size_t self, Level& level) {
      if (level.place[self] == -1) return;
      const std::int64_t to = next[self] == -1 ? -1 : p.read(index, next[self]) - 1;
      p.write(smaller.next, level.place[self], to);
    });
    step("move distances", [&](PramProcessor& p, std::size_t self, Level& level) {
      if (level.place[self] == -1) return;
      p.write(smaller.distance, level.place[self], p.read(level.distance, p.id()));
    });
    levels_.push_back(std::move(smaller));
  }

  void rank_rest() {
    Level& level = levels_.back();
    Links links(level.size());
    pram_.step("read links", level.size(), [&](PramProcessor& p) {
      const auto self = static_cast<std::size_t>(p.id());
      links.successor[self] = p.read(level.next, p.id());
      links.distance[self] = p.read(level.distance, p.id());
    });
    jump(pram_, links, level.next, level.distance);
    level.rank = level.distance;
  }

  void expand() {
    const PramArray ranks = levels_.back().rank;
    levels_.pop_back();
    Numbers own(levels_.back().place.size());  // registers
    levels_.back().rank = pram_.array(levels_.back().size(), "rank");
    step("ranks of those who were left", [&](PramProcessor& p, std::size_t self, Level& level) {
      if (level.place[self] == -1) return;
      own[self] = p.read(ranks, level.place[self]);
      p.write(level.rank, p.id(), own[self]);
    });
    step("ranks of those taken out", [&](PramProcessor& p, std::size_t self, Level& level) {
      if (level.mate[self] == -1) return;
      p.write(level.rank, level.mate[self], own[self] - level.before[self]);
    });
  }

  Pram& pram_;
  std::uint64_t seed_;
  std::vector<Level> levels_;
};

}  // namespace

Numbers rank_by_contraction(Pram& pram, const PramArray& next, std::uint64_t seed) {
  return next.size() == 0 ? Numbers{} : Contraction(pram, seed).run(next);
}

PramForm rank_by_contraction_form(Numbers nodes, std::uint64_t seed) {
  const auto n = static_cast<std::int64_t>(nodes.size());
  PramForm form = step_form(n);
  if (n == 0) return form;
  constexpr std::int64_t steps_of_round = 10;  // with those that bring nodes back
  for (std::size_t round = 0; !is_short(static_cast<std::int64_t>(nodes.size()), n); ++round) {
    const auto size = static_cast<std::int64_t>(nodes.size());
    append_form(form, {steps_of_round, size, steps_of_round * size});
    append_form(form, scan_by_sweeps_form(size));
    Numbers place(nodes.size(), 1);
    for (std::size_t k = 1; k < nodes.size(); ++k) {
      const bool out = coin(seed, round, nodes[k - 1]) == 0 && coin(seed, round, nodes[k]) == 1;
      if (out) place[static_cast<std::size_t>(nodes[k])] = 0;
    }
    Numbers left;
    for (const std::int64_t node : nodes) {
      if (place[static_cast<std::size_t>(node)] == 1) left.push_back(node);
    }
    std::int64_t before = 0;
    for (std::int64_t& p : place) before += std::exchange(p, before);
    for (std::int64_t& node : left) node = place[static_cast<std::size_t>(node)];
    nodes = std::move(left);
  }
  append_form(form, jump_form(static_cast<std::int64_t>(nodes.size())));
  return form;
}

}  // namespace agpusim::list_ranking
