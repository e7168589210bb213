#pragma once

#include "../common.hpp"

namespace zoo {

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
