#pragma once

#include "../common.hpp"

namespace zoo {

/// out[i] = in[index[i]].
struct Gather {
  static constexpr const char* name = "gather";
  std::int32_t n;

  template <class Mp, class Places, class View>
  AGPUSIM_FN void operator()(Mp& mp, Places index, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] { out.write(i, in.read(index.read(i))); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm gather() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const auto index = run.upload(run.n(), "index", [n = run.n()] { return permutation(n); });
    const auto out = run.array(run.n(), "out");
    run.launch(run.tasks_of(run.width()), Gather{length(run)}, index, in, out);
    run.result(out);
  };
  const auto reference = [](const auto& in) {
    const auto index = permutation(static_cast<std::int64_t>(in.size()));
    auto out = in;
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[static_cast<std::size_t>(index[i])];
    return out;
  };
  return row_of<std::uint32_t>("gather", "reads in random order", program, reference);
}

}  // namespace zoo
