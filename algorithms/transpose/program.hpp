#pragma once

#include <cstdint>
#include <memory>

#include "agpusim/algorithms/own_program.hpp"
#include "agpusim/algorithms/transpose/kernel.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim::transpose {

/// The matrix and the tiles of a run.
inline TileShape shape_of_run(const RunConfig& config) {
  const std::int64_t rows = config.parameters.at("matrix_rows");
  const std::int64_t cols = config.n / rows;
  const std::int64_t side = config.spec.block_words;
  const std::int64_t across = ceil_div(cols, side);
  return {rows, cols, config.spec.block_words, static_cast<std::uint32_t>(across),
          static_cast<std::uint32_t>(ceil_div(rows, side) * across)};
}

/// Elements from one row of the shared tile to the next.
inline std::int32_t pitch_of(const RunConfig& config) {
  return config.spec.block_words + (config.variant == "padded" ? 1 : 0);
}

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return own_program<Device, std::uint32_t, std::uint64_t>(
      device, config, [&]<class T>(OwnRun<Device, T>& run) {
        const TileShape shape = shape_of_run(config);
        const auto in = run.input("in");
        const auto out = run.array(config.n, "out");
        if (run.variant() == "naive") {
          run.launch(shape.tiles, Naive{shape}, in, out);
        } else {
          run.launch(shape.tiles, Tiled<T>{shape, pitch_of(config)}, in, out);
        }
        run.result(out);
      });
}

}  // namespace agpusim::transpose
