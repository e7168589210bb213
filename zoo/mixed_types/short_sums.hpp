#pragma once

#include "../common.hpp"

namespace zoo {

/// Sums of 8 neighbours of 16 bits, in 32 bits: a lane for each sum.
struct ShortSums {
  static constexpr const char* name = "short_sums";
  std::int32_t n;

  template <class Mp, class Shorts, class View>
  AGPUSIM_FN void operator()(Mp& mp, Shorts in, View sums) const {
    const auto i = global_index(mp);
    mp.when(i * 8 < n, [&] {
      auto sum = mp.varying(0u);
      for (std::int32_t k = 0; k < 8; ++k) {
        mp.when(i * 8 + k < n,
                [&] { sum = sum + agpusim::cast<std::uint32_t>(in.read(i * 8 + k)); });
      }
      sums.write(i, sum);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm short_sums() {
  const auto shorts_of = [](std::int64_t n) {
    return vector_of(n, [](std::int64_t i) {
      return static_cast<std::uint16_t>(agpusim::random_bits(13, static_cast<std::uint64_t>(i)));
    });
  };
  const auto program = [shorts_of](auto& run) {
    const auto in = run.upload(run.n(), "in", [=, n = run.n()] { return shorts_of(n); });
    const auto sums = run.array(run.tasks_of(8), "sums");
    run.launch(run.tasks_of(std::int64_t{8} * run.width()), ShortSums{length(run)}, in, sums);
    run.result(sums);
  };
  const auto reference = [shorts_of](const auto& in) {
    const auto shorts = shorts_of(static_cast<std::int64_t>(in.size()));
    std::vector<std::uint32_t> sums((in.size() + 7) / 8, 0);
    for (std::size_t i = 0; i < in.size(); ++i) sums[i / 8] += shorts[i];
    return sums;
  };
  return row_of<std::uint32_t>("short_sums", "sums of 8 neighbours of 16 bits", program, reference,
                               io_of("(5/8)n/b", 0.625));
}

}  // namespace zoo
