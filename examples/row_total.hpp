#pragma once

#include <agpusim/agpusim.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace examples {

/// What kernels of a task for each row share, beside two tiles of row_total().
struct OfRows {
  std::int32_t columns;
  std::int32_t warps;  ///< warps of a task

  [[nodiscard]] std::int64_t shared_bytes() const { return std::int64_t{8} * warps; }
  /// Where in a block its row begins.
  [[nodiscard]] std::uint64_t task_class(std::int64_t task, std::int64_t) const {
    return static_cast<std::uint64_t>(task * columns % 64);
  }
};

template <class Run>
[[nodiscard]] OfRows of_rows(const Run& run) {
  return {static_cast<std::int32_t>(run.parameter("columns")), run.spec().warps()};
}

/// The tile that row_total() needs, a number for each warp.
template <class Mp>
[[nodiscard]] AGPUSIM_FN auto total_tile(Mp& mp, const char* name) {
  return mp.template shared<float>(mp.width() / mp.warp_width(), name);
}

/// What `combine` (commutative) makes of the values of all lanes of the task, in every lane:
/// shuffles inside the warps, then a word of each warp in `tile`.
template <class Mp, class Lane, class Tile, class Combine>
[[nodiscard]] AGPUSIM_FN auto row_total(Mp& mp, Lane value, const Tile& tile, Combine combine) {
  const std::int32_t b = mp.warp_width();
  const auto lane = mp.lane();
  for (std::int32_t distance = b / 2; distance > 0; distance /= 2) {
    value = combine(value, mp.shuffle(value, (lane % b) ^ distance));
  }
  mp.when(lane % b == 0, [&] { tile.write(lane / b, value); });
  mp.sync();
  value = tile.read(mp.varying(0));
  for (std::int32_t warp = 1; warp < mp.width() / b; ++warp) {
    value = combine(value, tile.read(mp.varying(warp)));
  }
  return value;
}

/// What row_total() gives for a value of each lane, b of them in a warp.
template <class Combine>
[[nodiscard]] float total_of(std::vector<float> lanes, std::size_t b, Combine combine) {
  for (std::size_t distance = b / 2; distance > 0; distance /= 2) {
    const std::vector<float> before = lanes;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      lanes[i] = combine(before[i], before[i ^ distance]);
    }
  }
  float total = lanes[0];
  for (std::size_t i = b; i < lanes.size(); i += b) total = combine(total, lanes[i]);
  return total;
}

/// Rows of equal length, one after the other: the parameter, and the check of n.
inline void takes_rows(agpusim::OwnAlgorithm& row) {
  row.parameters = {
      {"columns", "elements of a row; n holds whole rows", [](const agpusim::RunConfig& run) {
         return std::min<std::int64_t>(std::max<std::int64_t>(run.n, 1), 1024);
       }}};
  row.check = [](const agpusim::RunConfig& run) {
    if (run.n % run.parameters.at("columns") != 0) {
      throw agpusim::UsageError("n holds no whole rows: choose a multiple of columns");
    }
    const std::int32_t b = run.spec.block_words;
    if ((b & (b - 1)) != 0) throw agpusim::UsageError("b must be a power of two");
  };
}

}  // namespace examples
