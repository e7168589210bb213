#pragma once

#include "../common.hpp"

namespace zoo {

/// The largest element of each eighth of the array, a task for each; atomics in shared memory.
struct EightCtas {
  static constexpr const char* name = "eight_ctas";
  std::int32_t n;

  [[nodiscard]] std::int64_t shared_bytes() const { return 8; }

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto largest = mp.template shared<std::uint32_t>(1, "largest");
    const auto lane = mp.lane();
    const std::int32_t share = (n + 7) / 8;
    const auto first = static_cast<std::int32_t>(mp.task()) * share;
    mp.when(lane == 0, [&] { largest.write(lane, mp.varying(0u)); });
    auto mine = mp.varying(0u);
    for (std::int32_t start = 0; start < share; start += mp.width()) {
      const auto i = lane + start;
      mp.when(i < share && i + first < n, [&] { mine = agpusim::max(mine, in.read(i + first)); });
    }
    mp.sync();
    largest.atomic_max(mp.varying(0), mine);
    mp.sync();
    mp.when(lane == 0,
            [&] { out.write(lane + static_cast<std::int32_t>(mp.task()), largest.read(lane)); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm eight_ctas() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const auto out = run.array(8, "largest");
    run.launch(8, EightCtas{length(run)}, in, out);
    run.result(out);
  };
  const auto reference = [](const auto& x) {
    std::vector<std::uint32_t> largest(8, 0);
    const std::size_t share = (x.size() + 7) / 8;
    for (std::size_t i = 0; i < x.size(); ++i)
      largest[i / share] = std::max(largest[i / share], x[i]);
    return largest;
  };
  return row_of<std::uint32_t>("eight_ctas", "the largest of each eighth, by eight tasks", program,
                               reference, io_of("n/b", 1));
}

}  // namespace zoo
