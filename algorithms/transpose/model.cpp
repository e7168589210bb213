#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/algorithms/transpose/program.hpp"
#include "agpusim/model/agpu/device.hpp"
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

LowerBound lower_bound(const RunConfig& config) {
  const std::int64_t blocks = element_blocks(config, config.n);
  return {2 * blocks, ceil_div(2 * blocks, config.spec.multiprocessors()),
          "every block is read and every block written; T >= Q/k"};
}

}  // namespace

void register_transpose(Registry& registry) {
  Algorithm row;
  row.name = "transpose";
  row.family = "data movement";
  row.summary = "matrix transposition: what coalescing and bank conflicts cost";
  row.source = "AGPU model: Koike and Sadakane 2013, section 2; theory L1, L3";
  const Bound coalesced = {"2n/b", [](const Symbols& s) { return 2 * s.n / s.b; }};
  // One side of the tile, or of the matrix, costs b where the other accesses cost 1 each.
  const auto one_by_one = [](const Symbols& s) { return s.n / s.p * (s.b + 3); };
  row.variants = {
      {.name = "padded",
       .time = {"Theta(n/p)", [](const Symbols& s) { return s.n / s.p; }},
       .io = coalesced,
       .help = "through shared memory with one padding element a row: no bank conflicts"},
      {.name = "tiled",
       .time = {"Theta(n/k): b-way bank conflicts", one_by_one},
       .io = coalesced,
       .help = "through shared memory, in a tile whose columns lie in one bank"},
      {.name = "naive",
       .time = {"Theta(n/k): uncoalesced writes", one_by_one},
       .io = {"n/b + n", [](const Symbols& s) { return s.n / s.b + s.n; }},
       .help = "reads rows, writes columns, uncoalesced"}};
  row.types = {"u32", "u64"};
  row.inputs = input_kinds();
  row.parameters = {
      {"matrix_rows", "rows of the matrix; n divided by it gives the columns", default_rows}};
  row.check = check;
  row.program = transpose::make_program<SimulatedDevice>;
  row.reference = reference;
  row.lower_bound = lower_bound;
  row.formulas = {formula_of_io(
      "2n/b (tiled, padded) or n/b + n (naive) where b divides rows and columns",
      [](const RunConfig& config) -> std::optional<std::int64_t> {
        const TileShape shape = shape_of_run(config);
        const std::int64_t b = config.spec.block_words;
        const std::int64_t words = element_words(config);
        const bool shares = config.spec.element_size(element_bytes(config.type)).parts > 1;
        if (shape.rows % b != 0 || shape.cols % b != 0 || b % words != 0 || shares)
          return std::nullopt;
        const std::int64_t blocks = config.n * words / b;
        return blocks + (is_naive(config) ? config.n : blocks);
      })};
  registry.add(std::move(row));
}

}  // namespace agpusim
