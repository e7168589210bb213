#pragma once

#include "../common.hpp"

namespace zoo {

/// Turns the point (1, 1/2) by each angle: out[i] and out[n + i].
struct Rotation {
  static constexpr const char* name = "rotation";
  static constexpr bool oblivious = true;
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      const auto angle = in.read(i) * 6.2831853F;
      const auto sine = agpusim::sin(angle);
      const auto cosine = agpusim::cos(angle);
      out.write(i, cosine - sine * 0.5F);
      out.write(i + n, sine + cosine * 0.5F);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm rotation() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const auto out = run.array(2 * run.n(), "points");
    run.launch(run.tasks_of(run.width()), Rotation{length(run)}, in, out);
    run.result(out);
  };
  const auto reference = [](const auto& in) {
    std::vector<float> out(2 * in.size());
    for (std::size_t i = 0; i < in.size(); ++i) {
      const float sine = agpusim::sin(in[i] * 6.2831853F);
      const float cosine = agpusim::cos(in[i] * 6.2831853F);
      out[i] = cosine - sine * 0.5F;
      out[in.size() + i] = sine + cosine * 0.5F;
    }
    return out;
  };
  auto row = row_of<float>("rotation", "a point turned by each angle", program, reference);
  row.inputs = {"uniform"};  // angles up to 30,000
  row.io = io_of("3n/b", 3);
  return row;
}

}  // namespace zoo
