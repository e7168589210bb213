#pragma once

#include "../common.hpp"

namespace zoo {

/// out[i] = sum of filter[k] in[i + k], where in is 0 beyond its end. All lanes read one tap.
struct Convolution {
  static constexpr const char* name = "convolution";
  std::int32_t n;
  std::int32_t taps;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View filter, View out) const {
    const auto i = global_index(mp);
    auto sum = mp.varying(0.0F);
    for (std::int32_t k = 0; k < taps; ++k) {
      const auto tap = filter.read(mp.varying(k));
      mp.when(i + k < n, [&] { sum = sum + tap * in.read(i + k); });
    }
    mp.when(i < n, [&] { out.write(i, sum); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm convolution() {
  const auto program = [](auto& run) {
    const std::int64_t taps = run.parameter("taps");
    const auto in = run.input();
    const auto filter = run.upload(taps, "filter", [taps] { return numbers(taps); });
    const auto out = run.array(run.n(), "out");
    run.launch(run.tasks_of(run.width()), Convolution{length(run), setting(run, "taps")}, in,
               filter, out);
    run.result(out);
  };
  const auto reference = [](const auto& in, const agpusim::RunConfig& run) {
    const auto filter = numbers(run.parameters.at("taps"));
    std::vector<float> out(in.size(), 0.0F);
    for (std::size_t i = 0; i < in.size(); ++i) {
      for (std::size_t k = 0; k < filter.size() && i + k < in.size(); ++k) {
        out[i] += filter[k] * in[i + k];
      }
    }
    return out;
  };
  auto row = row_of<float>("convolution", "convolution with a short filter", program, reference);
  row.parameters = {parameter("taps", "numbers of the filter", 24)};
  return row;
}

}  // namespace zoo
