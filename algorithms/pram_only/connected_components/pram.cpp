#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/pram/bounds.hpp"
#include "agpusim/algorithms/common/pram/row.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/error.hpp"

// A graph of n vertices and m edges; x is the first and then the second ends of the edges. The
// output names each component by its smallest vertex.
namespace agpusim {
namespace {

using Numbers = std::vector<std::int64_t>;

std::int64_t edges_of(const RunConfig& config) { return config.parameters.at("edges"); }

std::int64_t below(std::int64_t limit, std::uint64_t seed, std::int64_t i) {
  return static_cast<std::int64_t>(random_bits(seed, static_cast<std::uint64_t>(i)) %
                                   static_cast<std::uint64_t>(limit));
}

/// uniform (both ends drawn), path (through a permutation of the vertices), star (around a drawn
/// vertex), pairs, loops (each vertex with itself: n components). Where m is larger than such a
/// graph it is gone through again.
Numbers generate_edges(const RunConfig& config) {
  const std::int64_t n = config.n;
  const std::int64_t m = edges_of(config);
  Numbers order(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    order[static_cast<std::size_t>(i)] = i;
    std::swap(order[static_cast<std::size_t>(i)],
              order[static_cast<std::size_t>(below(i + 1, config.seed, i))]);
  }
  Numbers ends(static_cast<std::size_t>(2 * m));
  for (std::int64_t e = 0; e < m; ++e) {
    const std::int64_t i = e % n;
    std::int64_t from = i;
    std::int64_t to = i;
    if (config.input == "uniform") {
      from = below(n, config.seed + 1, e);
      to = below(n, config.seed + 2, e);
    } else if (config.input == "path") {
      from = order[static_cast<std::size_t>(i)];
      to = order[static_cast<std::size_t>(i + 1 < n ? i + 1 : i)];
    } else if (config.input == "star") {
      to = order.front();
    } else if (config.input == "pairs") {
      to = (i ^ 1) < n ? i ^ 1 : i;
    }
    ends[static_cast<std::size_t>(e)] = from;
    ends[static_cast<std::size_t>(m + e)] = to;
  }
  return ends;
}

/// Each component named by its smallest vertex, from a vertex of the same component for each.
Numbers smallest_names(const Numbers& parent) {
  Numbers smallest(parent.size(), -1);
  Numbers names;
  for (std::size_t i = 0; i < parent.size(); ++i) {
    std::int64_t& name = smallest[static_cast<std::size_t>(parent[i])];
    if (name == -1) name = static_cast<std::int64_t>(i);
    names.push_back(name);
  }
  return names;
}

/// Union-find with path halving.
Numbers reference(const Numbers& ends, std::int64_t n) {
  Numbers parent(static_cast<std::size_t>(n));
  std::iota(parent.begin(), parent.end(), 0);
  const auto of = [&](std::int64_t v) -> std::int64_t& {
    return parent[static_cast<std::size_t>(v)];
  };
  const auto root = [&](std::int64_t v) {
    for (; of(v) != v; v = of(v)) of(v) = of(of(v));
    return v;
  };
  const std::size_t m = ends.size() / 2;
  for (std::size_t e = 0; e < m; ++e) of(root(ends[e])) = root(ends[m + e]);
  for (std::int64_t v = 0; v < n; ++v) of(v) = root(v);
  return smallest_names(parent);
}

/// ⌈log_{3/2} n⌉. The heights of the trees of a component add up to at most n - 1; a round that
/// does not find the component done leaves two thirds of that.
std::int64_t rounds_of(std::int64_t n) {
  return static_cast<std::int64_t>(std::ceil(std::log(static_cast<double>(n)) / std::log(1.5)));
}

/// Trees of vertices, which grow together. An edge is handled by two processors, one from each end.
class Forest {
 public:
  Forest(Pram& pram, const PramArray& ends, std::int64_t vertices)
      : pram_(pram),
        ends_(ends),
        n_(vertices),
        m_(ends.size() / 2),
        parent_(pram.array(n_, "parent")),
        flag_(pram.array(n_, "flag")),
        from_(static_cast<std::size_t>(2 * m_)),
        to_(from_.size()),
        root_(from_.size()),
        other_(from_.size()),
        near_(static_cast<std::size_t>(n_)),
        far_(near_.size()) {}

  /// Afterwards only vertices without an edge to another are trees of one vertex.
  void plant() {
    vertices("every vertex a tree", [&](PramProcessor& p) { p.write(parent_, p.id(), p.id()); });
    edges("hook vertices to smaller ones", [&](PramProcessor& p, std::size_t self) {
      const bool back = p.id() >= m_;
      const std::int64_t e = back ? p.id() - m_ : p.id();
      from_[self] = p.read(ends_, back ? m_ + e : e);
      to_[self] = p.read(ends_, back ? e : m_ + e);
      if (to_[self] < from_[self]) p.write(parent_, from_[self], to_[self]);
    });
    vertices("no vertex has a child", [&](PramProcessor& p) { p.write(flag_, p.id(), 0); });
    vertices("mark those that have one", [&](PramProcessor& p) {
      const std::int64_t parent = p.read(parent_, p.id());
      if (parent != p.id()) p.write(flag_, parent, 1);
    });
    read_parents();
    edges("hook vertices that are alone", [&](PramProcessor& p, std::size_t self) {
      const bool alone = root_[self] == from_[self] && p.read(flag_, from_[self]) == 0;
      p.compute();
      if (alone && to_[self] != from_[self]) p.write(parent_, from_[self], other_[self]);
    });
  }

  void round() {
    hook_stars("hook stars to smaller roots", std::less<>());
    // Where an edge joins two stars, the one with the larger root is hooked by now.
    hook_stars("hook stars that are left", std::not_equal_to<>());
    vertices("halve the heights", [&](PramProcessor& p) {
      p.write(parent_, p.id(), p.read(parent_, p.read(parent_, p.id())));
    });
  }

  [[nodiscard]] const PramArray& parent() const { return parent_; }

 private:
  template <class Body>
  void vertices(const char* name, Body body) {
    pram_.step(name, n_, body);
  }
  template <class Body>
  void edges(const char* name, Body body) {
    pram_.step(name, 2 * m_, [&](PramProcessor& p) { body(p, static_cast<std::size_t>(p.id())); });
  }

  void read_parents() {
    edges("read parents of both ends", [&](PramProcessor& p, std::size_t self) {
      root_[self] = p.read(parent_, from_[self]);
      other_[self] = p.read(parent_, to_[self]);
    });
  }

  /// Hooks every star to a tree beside it, where `better(parent there, own root)`.
  template <class Better>
  void hook_stars(const char* name, Better better) {
    find_stars();
    read_parents();
    edges(name, [&](PramProcessor& p, std::size_t self) {
      const bool in_star = p.read(flag_, from_[self]) == 1;
      if (in_star && better(other_[self], root_[self])) {
        p.write(parent_, root_[self], other_[self]);
      }
    });
  }

  /// A tree is a star if no vertex has a grandparent other than its parent.
  void find_stars() {
    vertices("compare with grandparents", [&](PramProcessor& p) {
      const auto self = static_cast<std::size_t>(p.id());
      near_[self] = p.read(parent_, p.id());
      far_[self] = p.read(parent_, near_[self]);
      p.write(flag_, p.id(), near_[self] == far_[self] ? 1 : 0);
    });
    vertices("tell the grandparents", [&](PramProcessor& p) {
      const auto self = static_cast<std::size_t>(p.id());
      p.compute();
      if (near_[self] != far_[self]) p.write(flag_, far_[self], 0);
    });
    vertices("ask the parents", [&](PramProcessor& p) {
      const auto self = static_cast<std::size_t>(p.id());
      if (p.read(flag_, near_[self]) == 0) p.write(flag_, p.id(), 0);
    });
  }

  Pram& pram_;
  PramArray ends_;
  std::int64_t n_;
  std::int64_t m_;
  PramArray parent_;
  PramArray flag_;
  Numbers from_;  // registers of the edges: their vertices, and the parents of those
  Numbers to_;
  Numbers root_;
  Numbers other_;
  Numbers near_;  // registers of the vertices: parent and grandparent
  Numbers far_;
};

Numbers program(Pram& pram, const PramArray& ends, std::int64_t n) {
  if (n == 0) return {};
  Forest forest(pram, ends, n);
  forest.plant();
  for (std::int64_t r = 0; r < rounds_of(n); ++r) forest.round();
  return smallest_names(pram.values(forest.parent()));
}

PramForm closed_form(const RunConfig& config) {
  const std::int64_t n = config.n;
  if (n == 0) return {};
  const std::int64_t ends = 2 * edges_of(config);
  const std::int64_t rounds = rounds_of(n);
  const std::int64_t of_edges = ends == 0 ? 0 : 3 + 4 * rounds;
  return {3 + 7 * rounds + of_edges, std::max(n, ends), n * (3 + 7 * rounds) + ends * of_edges};
}

std::int64_t size_of(const RunConfig& config) { return config.n + edges_of(config); }

}  // namespace

void register_pram_connected_components(Registry& registry) {
  PramSide row;
  row.summary = "for each of n vertices the smallest vertex that edges connect it with";
  row.variants = {pram_variant(
      "awerbuch_shiloach",
      "trees of vertices hook to each other along edges and halve their heights",
      growth::bound("11r + 6 steps for r = ceil(log_1.5 n) rounds, max(n, 2m) processors, "
                    "work n(7r + 3) + 2m(4r + 3)",
                    size_of, growth::log, growth::linear, growth::m_log),
      "Awerbuch and Shiloach, IEEE Trans. Comput. C-36(10), 1987",
      // A cell must receive one of the values that are written to it.
      {PramAccess::arbitrary, PramAccess::priority, PramAccess::max, PramAccess::min})};
  row.inputs = {"uniform", "path", "star", "pairs", "loops"};
  row.parameters = {
      {"edges", "m (default: n)", [](const RunConfig& config) { return config.n; }, 0}};
  row.check = [](const RunConfig& config) {
    refuse_given_values(config, "it makes its graph itself, for example --n 100 --input path");
    constexpr std::int64_t largest = std::int64_t{1} << 40;
    if (edges_of(config) > largest || (config.n == 0 && edges_of(config) > 0)) {
      throw UsageError(
          fmt::format("edges = {}: 0 to 2^40 edges between n = {} vertices, none "
                      "without a vertex",
                      edges_of(config), config.n));
    }
  };
  row.run = [](const RunConfig& config, const PramOptions& options) {
    return run_pram(
        config, options, config.n + 2 * edges_of(config), generate_edges,
        [&](Pram& pram, const PramArray& ends) { return program(pram, ends, config.n); },
        [&](const Numbers& ends) { return reference(ends, config.n); });
  };
  row.closed_form = closed_form;
  registry.add("connected_components", std::move(row));
}

}  // namespace agpusim
