#include <algorithm>
#include <array>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/transpose/program.hpp"
#include "agpusim/model/cost/bill.hpp"
#include "agpusim/model/cost/units.hpp"
#include "agpusim/model/loop.hpp"
#include "agpusim/tests/algorithms/witness/witness.hpp"

namespace agpusim::test {
namespace {

using namespace transpose;

bool is_naive(const RunConfig& config) { return config.variant == "naive"; }

/// Tiles of one extent along one axis: the full ones, and the one at the border if there is one.
struct Extent {
  std::int64_t tiles;
  std::int64_t length;
};

std::array<Extent, 2> extents(std::int64_t total, std::int64_t side) {
  return {Extent{total / side, side}, Extent{total % side != 0 ? 1 : 0, total % side}};
}

/// The sum over all rows r < rows and all tiles of an axis of `cols` columns of units(start of the
/// row's part in the tile, its length), where the matrix is `cols` columns wide.
template <class Units>
std::int64_t sum_over_row_parts(std::int64_t rows, std::int64_t cols, std::int64_t side,
                                std::int64_t words, std::int64_t unit, Units units) {
  // Starts (r·cols + J·side)·words matter modulo the unit only.
  std::vector<std::int64_t> of_rows(static_cast<std::size_t>(unit));
  for (std::int64_t r = 0; r < std::min(rows, unit); ++r) {
    of_rows[static_cast<std::size_t>(r * (cols % unit) * words % unit)] += ceil_div(rows - r, unit);
  }
  std::int64_t sum = 0;
  const std::int64_t full = cols / side;
  for (std::int64_t start = 0; start < unit; ++start) {
    const std::int64_t times = of_rows[static_cast<std::size_t>(start)];
    if (times == 0) continue;
    for (std::int64_t j = 0; j < std::min(full, unit); ++j) {
      sum +=
          times * ceil_div(full - j, unit) * units((start + j * side * words) % unit, side, unit);
    }
    if (cols % side != 0) {
      sum += times * units((start + full * side * words) % unit, cols % side, unit);
    }
  }
  return sum;
}

/// The cost of the steps over `height` rows of a tile of `width` columns, W rows a step; `body` is
/// called with the warps and active lanes of each step. Returns the rounds of TileRows::stream.
template <class Body>
std::int64_t steps_of_tile(Bill& bill, const AgpuSpec& spec, std::int64_t height,
                           std::int64_t width, Body body) {
  const std::int64_t side = spec.block_words;
  const std::int64_t warps = spec.warps();
  std::int64_t whole = 0;
  std::int64_t partial = 0;
  for (std::int64_t r = 0; r < height; r += warps) {
    const std::int64_t active_warps = std::min(warps, height - r);
    if (width < side || active_warps < warps) {
      bill.alu(3);  // x < width, y < height - r, &&
      ++partial;
    } else {
      ++whole;
    }
    body(active_warps, active_warps * width);
    bill.idle(2, 2 * active_warps);
  }
  return whole / rows_in_flight + whole % rows_in_flight + partial;
}

/// Instructions and shared accesses of one tile; global blocks are added for all tiles at once.
Counts tile_cost(const RunConfig& config, std::int64_t height, std::int64_t width) {
  const AgpuSpec& spec = config.spec;
  const std::int64_t words = element_words(config);
  Bill bill(spec);
  bill.alu(is_naive(config) ? 2 + 4 : 2 + 8);  // x, y; each index is a product and a sum
  const auto global = [&](GlobalCounts Counts::*kind, std::int64_t warps, std::int64_t active) {
    bill.global(kind, active, warps, 0, 0);
  };
  if (is_naive(config)) {
    bill.rounds(
        steps_of_tile(bill, spec, height, width, [&](std::int64_t warps, std::int64_t active) {
          global(&Counts::global_read, warps, active);
          global(&Counts::global_write, warps, active);
        }));
    return bill.counts();
  }
  bill.rounds(
      steps_of_tile(bill, spec, height, width, [&](std::int64_t warps, std::int64_t active) {
        bill.alu(1, active, warps);
        global(&Counts::global_read, warps, active);
        const std::int64_t wavefronts = bill.contiguous_wavefronts(width, words);
        bill.shared(&Counts::shared_write, active, warps, wavefronts, wavefronts);
      }));
  const std::int64_t wavefronts = bill.strided_wavefronts(pitch_of(config), height, words);
  static_cast<void>(
      steps_of_tile(bill, spec, width, height, [&](std::int64_t warps, std::int64_t active) {
        bill.alu(1, active, warps);
        bill.shared(&Counts::shared_read, active, warps, wavefronts,
                    bill.contiguous_wavefronts(height, words));
        global(&Counts::global_write, warps, active);
      }));
  return bill.counts();
}

/// An upper bound of the blocks of one tile: every contiguous part may straddle one more block,
/// every element of a column touches blocks of its own.
std::int64_t most_blocks(const RunConfig& config, std::int64_t height, std::int64_t width) {
  const std::int64_t words = element_words(config);
  const auto part = [&](std::int64_t elements) {
    return ceil_div(elements * words - 1, config.spec.block_words) + 1;
  };
  const std::int64_t reads = height * part(width);
  return reads + (is_naive(config) ? height * width * part(1) : width * part(height));
}

/// Blocks and sectors of all tiles.
void add_global_units(const RunConfig& config, Counts& counts) {
  const TileShape shape = shape_of_run(config);
  const std::int64_t words = element_words(config);
  const auto range = [words](std::int64_t start, std::int64_t count, std::int64_t unit) {
    return units_of_range(start, count * words, unit);
  };
  // A naive write goes down a column of `out`, in steps of `rows` elements.
  const auto column = [&](std::int64_t start, std::int64_t count, std::int64_t unit) {
    return units_of_progression(start, shape.rows * words, count, words, unit);
  };
  const auto all = [&](std::int64_t unit, std::int64_t& read, std::int64_t& written) {
    read = sum_over_row_parts(shape.rows, shape.cols, shape.side, words, unit, range);
    if (!is_naive(config)) {
      written = sum_over_row_parts(shape.cols, shape.rows, shape.side, words, unit, range);
      return;
    }
    // Starts (J·side·rows + i)·words for i < rows.
    written = 0;
    for (const auto& [tiles, length] : extents(shape.cols, shape.side)) {
      const std::int64_t base = length == shape.side ? 0 : shape.cols / shape.side;
      for (std::int64_t j = 0; j < std::min(tiles, unit); ++j) {
        for (std::int64_t i = 0; i < std::min(shape.rows, unit); ++i) {
          const std::int64_t start =
              ((base + j) * shape.side % unit * (shape.rows % unit) + i) * words;
          written += ceil_div(tiles - j, unit) * ceil_div(shape.rows - i, unit) *
                     column(start % unit, length, unit);
        }
      }
    }
  };
  all(config.spec.block_words, counts.global_read.blocks, counts.global_write.blocks);
  all(config.spec.sector_words(), counts.global_read.sectors, counts.global_write.sectors);
}

}  // namespace

std::vector<PhaseForm> transpose_witness(const RunConfig& config) {
  const TileShape shape = shape_of_run(config);
  const std::int64_t words = element_words(config);
  PhaseForm form{
      .kernel = is_naive(config) ? "transpose_naive" : "transpose_tiled",
      .shared_words = is_naive(config) ? 0 : std::int64_t{shape.side} * pitch_of(config) * words};
  for (const auto& [tiles_down, height] : extents(shape.rows, shape.side)) {
    for (const auto& [tiles_across, width] : extents(shape.cols, shape.side)) {
      const std::int64_t tiles = tiles_down * tiles_across;
      if (tiles == 0) continue;
      const Counts cost = tile_cost(config, height, width);
      form.tasks += tiles;
      form.counts += cost * tiles;
      form.max_task_time =
          std::max(form.max_task_time, cost.time() + most_blocks(config, height, width));
    }
  }
  add_global_units(config, form.counts);
  const bool equal_tasks = shape.rows % shape.side == 0 && shape.cols % shape.side == 0;
  if (equal_tasks && config.spec.assignment != Assignment::next_fit) {
    const std::int64_t each = form.counts.time() / form.tasks;
    form.max_task_time = each;
    form.time = ceil_div(form.tasks, config.spec.multiprocessors()) * each;
  }
  return {form};
}

}  // namespace agpusim::test
