#pragma once

#include "../common.hpp"

namespace zoo {

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

}  // namespace zoo
