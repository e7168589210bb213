#pragma once

#include <agpusim/agpusim.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace examples {

/// The accelerations of V bodies: tiles of V others go through shared memory, where all lanes read
/// one word at a time. Nyland, Harris and Prins, GPU Gems 3, chapter 31.
struct Accelerations {
  static constexpr const char* name = "accelerations";
  static constexpr bool oblivious = true;
  std::int64_t n;  ///< bodies; i lies at in[i], in[n + i], in[2n + i] and has the mass in[3n + i]
  std::int64_t shared;

  [[nodiscard]] std::int64_t shared_bytes() const { return shared; }

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View bodies, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const auto tile = mp.template shared<float>(4 * V, "tile");
    const std::int64_t first = mp.task() * V;
    const auto mine = static_cast<std::int32_t>(n - first < V ? n - first : V);
    auto x = mp.varying(0.0F);
    auto y = mp.varying(0.0F);
    auto z = mp.varying(0.0F);
    mp.when(lane < mine, [&] {
      x = bodies.from(first).read(lane);
      y = bodies.from(n + first).read(lane);
      z = bodies.from(2 * n + first).read(lane);
    });
    auto ax = mp.varying(0.0F);
    auto ay = mp.varying(0.0F);
    auto az = mp.varying(0.0F);
    for (std::int64_t other = 0; other < n; other += V) {
      const auto others = static_cast<std::int32_t>(n - other < V ? n - other : V);
      mp.sync();
      mp.when(lane < others, [&] {
        for (std::int32_t k = 0; k < 4; ++k) {
          tile.write(lane + k * V, bodies.from(k * n + other).read(lane));
        }
      });
      mp.sync();
      for (std::int32_t j = 0; j < others; ++j) {
        const auto dx = tile.read(mp.varying(j)) - x;
        const auto dy = tile.read(mp.varying(V + j)) - y;
        const auto dz = tile.read(mp.varying(2 * V + j)) - z;
        const auto inverse = agpusim::rsqrt(dx * dx + dy * dy + dz * dz + 0.01F);
        const auto pull = tile.read(mp.varying(3 * V + j)) * (inverse * inverse * inverse);
        ax = ax + dx * pull;
        ay = ay + dy * pull;
        az = az + dz * pull;
      }
    }
    mp.when(lane < mine, [&] {
      out.from(first).write(lane, ax);
      out.from(n + first).write(lane, ay);
      out.from(2 * n + first).write(lane, az);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm n_body() {
  const auto program = [](auto& run) {
    const std::int64_t n = run.n() / 4;
    const auto bodies = run.input();
    const auto out = run.array(3 * n, "accelerations");
    run.launch(run.tasks_of(std::int64_t{4} * run.width()),
               Accelerations{n, std::int64_t{16} * run.width()}, bodies, out);
    run.result(out);
  };
  const auto reference = [](const auto& at) {
    const std::size_t n = at.size() / 4;
    std::vector<float> out(3 * n, 0.0F);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const float dx = at[j] - at[i];
        const float dy = at[n + j] - at[n + i];
        const float dz = at[2 * n + j] - at[2 * n + i];
        const float inverse = agpusim::rsqrt(dx * dx + dy * dy + dz * dz + 0.01F);
        const float pull = at[3 * n + j] * (inverse * inverse * inverse);
        out[i] += dx * pull;
        out[n + i] += dy * pull;
        out[2 * n + i] += dz * pull;
      }
    }
    return out;
  };
  auto row = agpusim::algorithm<float>("n_body", program, reference);
  row.summary = "the accelerations of bodies that attract each other, four numbers a body";
  row.min_n = 4;
  row.check = [](const agpusim::RunConfig& run) {
    if (run.n % 4 != 0)
      throw agpusim::UsageError("a body has four numbers: choose a multiple of 4");
  };
  row.time = {"n^2/p", [](const agpusim::RunConfig& run) {
                const auto n = static_cast<double>(run.n);
                return n * n / static_cast<double>(run.spec.cores);
              }};
  return row;
}

}  // namespace examples
