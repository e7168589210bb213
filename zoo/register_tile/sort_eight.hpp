#pragma once

#include "../common.hpp"

namespace zoo {

/// Each lane sorts 8 elements, V apart, in its registers; lanes beyond the end hold the largest.
struct SortEight {
  static constexpr const char* name = "sort_eight";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto first = mp.lane() + static_cast<std::int32_t>(mp.task()) * 8 * mp.width();
    auto keys = agpusim::registers_of<8>(mp.varying(0xffffffffu));
    for (std::int32_t k = 0; k < 8; ++k) {
      const auto i = first + k * mp.width();
      mp.when(i < n, [&] { keys[k] = in.read(i); });
    }
    for (std::int32_t turn = 0; turn < 8; ++turn) {
      for (std::int32_t k = turn % 2; k < 7; k += 2) {
        const auto low = agpusim::min(keys[k], keys[k + 1]);
        keys[k + 1] = agpusim::max(keys[k], keys[k + 1]);
        keys[k] = low;
      }
    }
    for (std::int32_t k = 0; k < 8; ++k) {
      const auto i = first + k * mp.width();
      mp.when(i < n, [&] { out.write(i, keys[k]); });
    }
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm sort_eight() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const auto out = run.array(run.n(), "out");
    run.launch(run.tasks_of(std::int64_t{8} * run.width()), SortEight{length(run)}, in, out);
    run.result(out);
  };
  const auto reference = [](auto x, const agpusim::RunConfig& run) {
    const auto V = static_cast<std::size_t>(run.spec.width);
    for (std::size_t first = 0; first < x.size(); first += first % V == V - 1 ? 7 * V + 1 : 1) {
      std::vector<std::uint32_t> keys;
      for (std::size_t k = 0; k < 8 && first + k * V < x.size(); ++k)
        keys.push_back(x[first + k * V]);
      std::sort(keys.begin(), keys.end());
      for (std::size_t k = 0; k < keys.size(); ++k) x[first + k * V] = keys[k];
    }
    return x;
  };
  return row_of<std::uint32_t>("sort_eight", "each lane sorts 8 elements in registers", program,
                               reference, io_of("2n/b", 2));
}

}  // namespace zoo
