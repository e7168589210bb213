#pragma once

#include "common.hpp"

namespace zoo {

/// Steps along a random permutation until a lane is back where it began, at most `limit`.
struct CycleSteps {
  static constexpr const char* name = "cycle_steps";
  std::int32_t n;
  std::int32_t limit;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View next, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      auto at = next.read(i);
      auto steps = mp.varying(1);
      mp.while_any([&] { return at != i && steps < limit; },
                   [&] {
                     at = next.read(at);
                     steps = steps + 1;
                   });
      out.write(i, steps);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm cycle_steps() {
  const auto program = [](auto& run) {
    const auto next = run.upload(run.n(), "next", [n = run.n()] { return permutation(n); });
    const auto out = run.template array<std::int32_t>(run.n(), "steps");
    run.launch(run.tasks_of(run.width()), CycleSteps{length(run), setting(run, "limit")}, next,
               out);
    run.result(out);
  };
  const auto reference = [](const auto& in, const agpusim::RunConfig& run) {
    const auto n = static_cast<std::int64_t>(in.size());
    const auto next = permutation(n);
    const auto limit = static_cast<std::int32_t>(setting(run, "limit"));
    return vector_of(n, [&](std::int64_t i) {
      std::int32_t steps = 1;
      for (std::int32_t at = next[static_cast<std::size_t>(i)]; at != i && steps < limit; ++steps) {
        at = next[static_cast<std::size_t>(at)];
      }
      return steps;
    });
  };
  auto row = row_of<std::uint32_t>("cycle_steps", "steps along the cycles of a permutation",
                                   program, reference);
  row.parameters = {parameter("limit", "steps of a lane, at most", 32)};
  return row;
}

/// Follows the links of random lists from every element and adds up what lies on the way.
struct ListHops {
  static constexpr const char* name = "list_hops";
  std::int32_t n;
  std::int32_t hops;

  template <class Mp, class Links, class View>
  AGPUSIM_FN void operator()(Mp& mp, Links next, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      auto at = i;
      auto sum = mp.varying(0u);
      for (std::int32_t hop = 0; hop < hops; ++hop) {
        sum = sum + in.read(at);
        at = next.read(at);
      }
      out.write(i, sum);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm list_hops() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const auto next = run.upload(run.n(), "next", [n = run.n()] { return permutation(n); });
    const auto out = run.array(run.n(), "sums");
    run.launch(run.tasks_of(run.width()), ListHops{length(run), setting(run, "hops")}, next, in,
               out);
    run.result(out);
  };
  const auto reference = [](const auto& in, const agpusim::RunConfig& run) {
    const auto next = permutation(run.n);
    std::vector<std::uint32_t> sums(in.size(), 0);
    for (std::size_t i = 0; i < in.size(); ++i) {
      std::size_t at = i;
      for (std::size_t hop = 0; hop < setting(run, "hops"); ++hop) {
        sums[i] += in[at];
        at = static_cast<std::size_t>(next[at]);
      }
    }
    return sums;
  };
  auto row = row_of<std::uint32_t>("list_hops", "sums along the links of random lists", program,
                                   reference);
  row.parameters = {parameter("hops", "links that a lane follows", 16)};
  return row;
}

/// Descends a binary tree whose node i has the children 2i + 1 and 2i + 2, to the right where the
/// query is not less than the node.
struct TreeDescent {
  static constexpr const char* name = "tree_descent";
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View tree, View queries, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      const auto query = queries.read(i);
      auto node = mp.varying(0);
      mp.while_any([&] { return node < n; },
                   [&] {
                     const auto right = query >= tree.read(node);
                     node = node * 2 + agpusim::select(right, mp.varying(2), mp.varying(1));
                   });
      out.write(i, agpusim::cast<std::uint32_t>(node));
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm tree_descent() {
  const auto program = [](auto& run) {
    const auto tree = run.input();
    const auto queries = run.upload(run.n(), "queries", [n = run.n()] { return words(n); });
    const auto out = run.array(run.n(), "leaves");
    run.launch(run.tasks_of(run.width()), TreeDescent{length(run)}, tree, queries, out);
    run.result(out);
  };
  const auto reference = [](const auto& tree) {
    auto queries = words(static_cast<std::int64_t>(tree.size()));
    for (auto& query : queries) {
      std::size_t node = 0;
      while (node < tree.size()) node = 2 * node + (query >= tree[node] ? 2 : 1);
      query = static_cast<std::uint32_t>(node);
    }
    return queries;
  };
  return row_of<std::uint32_t>("tree_descent", "queries descend a binary tree", program, reference);
}

}  // namespace zoo
