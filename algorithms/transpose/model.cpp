#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/algorithms/transpose/program.hpp"
#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/cost/bill.hpp"
#include "agpusim/model/cost/units.hpp"
#include "agpusim/model/loop.hpp"

namespace agpusim {
namespace {

using namespace transpose;

bool is_naive(const RunConfig& config) { return config.variant == "naive"; }

/// The divisor of n that makes the matrix most nearly square.
std::int64_t default_rows(const RunConfig& config) {
  auto rows = static_cast<std::int64_t>(std::sqrt(static_cast<double>(config.n)));
  while (rows > 1 && config.n % rows != 0) --rows;
  return std::max<std::int64_t>(rows, 1);
}

void check(const RunConfig& config) {
  const std::int64_t rows = config.parameters.at("matrix_rows");
  if (config.n % rows != 0) {
    throw UsageError(fmt::format("matrix_rows = {} does not divide n = {}", rows, config.n));
  }
  const std::int64_t side = config.spec.block_words;
  if (side * std::max(rows, config.n / rows) >= std::int64_t{1} << 31) {
    throw UsageError(
        fmt::format("transpose: b times the longer side of a {} x {} matrix must stay "
                    "below 2^31; choose matrix_rows nearer to its square root",
                    rows, config.n / rows));
  }
  if (ceil_div(rows, side) * ceil_div(config.n / rows, side) >= std::int64_t{1} << 32) {
    throw UsageError(
        "transpose: the matrix has 2^32 tiles of b x b elements or more; use a larger b");
  }
  const std::int64_t words = side * pitch_of(config) * element_words(config);
  if (!is_naive(config) && words > config.spec.shared_words) {
    throw UsageError(
        fmt::format("transpose ({}): a tile of b x {} elements needs {} words of shared "
                    "memory, but M = {}; use a larger M or the naive variant",
                    config.variant, pitch_of(config), words, config.spec.shared_words));
  }
}

std::uint64_t reference(const RunConfig& config) {
  return with_element_type(config.type, [&]<class T>(T) {
    const std::vector<T> in = generate<T>(config.input, config.n, config.seed);
    std::vector<T> out(in.size());
    const auto rows = static_cast<std::size_t>(config.parameters.at("matrix_rows"));
    const std::size_t cols = in.size() / rows;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < cols; ++j) out[j * rows + i] = in[i * cols + j];
    }
    return checksum<T>(out);
  });
}

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

std::vector<PhaseForm> closed_form(const RunConfig& config) {
  const TileShape shape = shape_of_run(config);
  const std::int64_t words = element_words(config);
  PhaseForm form;
  form.kernel = is_naive(config) ? "transpose_naive" : "transpose_tiled";
  form.shared_words = is_naive(config) ? 0 : std::int64_t{shape.side} * pitch_of(config) * words;
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

LowerBound lower_bound(const RunConfig& config) {
  const std::int64_t blocks = ceil_div(config.n * element_words(config), config.spec.block_words);
  return {2 * blocks, ceil_div(2 * blocks, config.spec.multiprocessors()),
          "every block is read and every block written; T >= Q/k"};
}

}  // namespace

void register_transpose(Registry& registry) {
  Algorithm row;
  row.name = "transpose";
  row.summary = "matrix transposition: what coalescing and bank conflicts cost";
  row.source = "AGPU model: Koike and Sadakane, IJNC 5(1), 2015, section 2; theory L1, L3";
  row.bound_time =
      "Theta(n/p), times b for the uncoalesced writes (naive) or bank conflicts (tiled)";
  row.bound_io = "2n/b tiled and padded; n/b + n naive";
  row.variants = {"padded", "tiled", "naive"};
  row.types = {"u32", "u64"};
  row.inputs = input_kinds();
  row.parameters = {
      {"matrix_rows", "rows of the matrix; n divided by it gives the columns", default_rows}};
  row.check = check;
  row.program = transpose::make_program<SimulatedDevice>;
  row.reference = reference;
  row.closed_form = closed_form;
  row.lower_bound = lower_bound;
  registry.add(std::move(row));
}

}  // namespace agpusim
