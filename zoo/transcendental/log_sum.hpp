#pragma once

#include "../common.hpp"

namespace zoo {

/// log(e^x + e^y + ...) of 16 numbers a lane, V apart; numbers beyond the end count nothing.
struct LogSum {
  static constexpr const char* name = "log_sum";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto first = mp.lane() + static_cast<std::int32_t>(mp.task()) * 16 * mp.width();
    auto sum = mp.varying(0.0F);
    for (std::int32_t k = 0; k < 16; ++k) {
      const auto i = first + k * mp.width();
      mp.when(i < n, [&] { sum = sum + agpusim::exp(in.read(i)); });
    }
    mp.when(first < n, [&] { out.write(global_index(mp), agpusim::log(sum)); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm log_sum() {
  const auto size_of = [](std::int64_t n, std::int64_t V) {
    return n / (16 * V) * V + std::min(n % (16 * V), V);
  };
  const auto program = [size_of](auto& run) {
    const auto in = run.input();
    const auto out = run.array(size_of(run.n(), run.width()), "logs");
    run.launch(run.tasks_of(std::int64_t{16} * run.width()), LogSum{length(run)}, in, out);
    run.result(out);
  };
  const auto reference = [size_of](const auto& in, const agpusim::RunConfig& run) {
    const auto V = static_cast<std::size_t>(run.spec.width);
    return vector_of(size_of(run.n, run.spec.width), [&](std::int64_t i) {
      const auto lane = static_cast<std::size_t>(i);
      float sum = 0.0F;
      for (std::size_t k = 0; k < 16; ++k) {
        const std::size_t at = (lane / V * 16 + k) * V + lane % V;
        if (at < in.size()) sum += agpusim::exp(in[at]);
      }
      return agpusim::log(sum);
    });
  };
  auto row = row_of<float>("log_sum", "logarithms of sums of exponentials", program, reference);
  row.inputs = {"uniform"};  // exponentials of larger numbers overflow
  row.io = io_of("n/b", 1);
  return row;
}

}  // namespace zoo
