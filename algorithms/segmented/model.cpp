#include <limits>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/algorithms/segmented/program.hpp"
#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim {
namespace {

using namespace segmented;

void check(const std::string& name, const RunConfig& config) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (config.n > most) {
    throw UsageError(
        fmt::format("{}: n = {}: at most 2^31 - 1 elements, whose segments are "
                    "counted in 32 bits",
                    name, config.n));
  }
  const std::int64_t lanes = config.spec.width;
  const std::int64_t elements = lanes * (config.parameters.at("per_lane") + 2);
  const std::int64_t words =
      elements * (element_words(config) + config.spec.words_per_element(sizeof(std::uint32_t)));
  if (words > config.spec.shared_words) {
    throw UsageError(
        fmt::format("{}: a task needs {} words of shared memory for a tile and sums of values and "
                    "of heads, but M = {}; use a larger M, a smaller V or a smaller per_lane",
                    name, words, config.spec.shared_words));
  }
}

/// By a plain loop.
template <class Operator>
std::uint64_t expected(const RunConfig& config, Result result) {
  using T = typename Operator::value_type;
  const std::vector<std::uint32_t> heads = heads_of(config);
  const std::vector<T> values = generate<T>(config.input, config.n, config.seed);
  std::vector<T> out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (result == Result::prefixes) {
      out.push_back(heads[i] != 0 ? values[i] : Operator{}(out.back(), values[i]));
    } else if (heads[i] != 0) {
      out.push_back(values[i]);
    } else {
      out.back() = Operator{}(out.back(), values[i]);
    }
  }
  return checksum<T>(out);
}

/// Blocks of n elements and of n head flags of a run.
struct Blocks {
  std::int64_t values = 0;
  std::int64_t heads = 0;
};
Blocks blocks_of(const RunConfig& config, std::int64_t elements) {
  return {element_blocks(config, elements), config.spec.blocks_of(elements, sizeof(std::uint32_t))};
}

LowerBound lower_bound(const RunConfig& config, Result result) {
  const Blocks in = blocks_of(config, config.n);
  const std::int64_t out =
      config.n == 0 ? 0 : blocks_of(config, result == Result::prefixes ? config.n : 1).values;
  return lower_bound_of_io(config, in.values + in.heads + out,
                           result == Result::prefixes
                               ? "every block of values and heads is read, every block is written"
                               : "every block of values and heads is read and one is written");
}

/// Pieces end at blocks where V does; each leaves a value and a count in a block of its own.
std::optional<std::int64_t> blocks_moved(const RunConfig& config) {
  const std::int32_t b = config.spec.block_words;
  const bool heads_share_words = config.spec.element_size(sizeof(std::uint32_t)).parts > 1;
  if (config.n == 0 || config.spec.width % b != 0 || b % element_words(config) != 0 ||
      heads_share_words) {
    return std::nullopt;
  }
  const std::int64_t pieces = scan::cut_of_run(config).host().tasks;
  const Blocks elements = blocks_of(config, config.n);
  const Blocks partials = blocks_of(config, pieces);
  const std::int64_t warps = config.spec.width / b;
  return 3 * elements.values + 2 * elements.heads + 2 * pieces * (1 + warps) +
         2 * (partials.values + partials.heads);
}

/// A row of the algorithms `segmented_scan` and `segmented_reduce`: all but summary, io and
/// program.
Algorithm row_of(const std::string& name, Result result) {
  const Bound time = {"Theta((n/p + k/b + V/b)(1 + log V / c))", [](const Symbols& s) {
                        return (s.n / s.p + (s.k + s.width) / s.b) *
                               (1 + lg(s.width) / s["per_lane"]);
                      }};
  Algorithm row;
  row.name = name;
  row.source =
      "seed 004, future work; Blelloch, CMU-CS-90-190, 1990, 1.5; Sengupta, Harris, Zhang and "
      "Owens, Graphics Hardware 2007; theory 3.8";
  row.variants = {{.name = "sum", .time = time, .help = "the operator is addition"},
                  {.name = "max", .time = time, .help = "the operator is the maximum"}};
  row.types = {"u32", "u64"};
  row.inputs = input_kinds();
  row.min_n = 0;
  row.parameters = segment_parameters();
  row.parameters.push_back({"per_lane", "c, neighbours a lane folds; odd avoids bank conflicts",
                            [](const RunConfig&) { return scan::default_per_lane; }});
  row.parameters.push_back({"length",
                            "mean elements of a segment: each but the first begins one with "
                            "probability 1/length",
                            [](const RunConfig&) { return std::int64_t{planned_length}; }});
  row.check = [name](const RunConfig& config) { check(name, config); };
  row.reference = [result](const RunConfig& config) {
    return with_operator(config,
                         [&]<class Operator>() { return expected<Operator>(config, result); });
  };
  row.lower_bound = [result](const RunConfig& config) { return lower_bound(config, result); };
  return row;
}

}  // namespace

void register_segmented_scan(Registry& registry) {
  Algorithm row = row_of("segmented_scan", Result::prefixes);
  row.family = "reductions and scans";
  row.summary = "inclusive prefixes within segments that begin at head flags: a scan of pairs";
  row.io = {"5n/b + O(k)", [](const Symbols& s) { return 5 * s.n / s.b + 8 * s.k; }};
  row.formulas = {formula_of_io(
      "3 ceil(nW/b) + 2 ceil(n/b) + 2k(1 + V/b) + 2 ceil(kW/b) + 2 ceil(k/b) for k pieces and "
      "values of W words",
      blocks_moved)};
  row.program = segmented_scan::make_program<SimulatedDevice>;
  registry.add(std::move(row));
}

void register_segmented_reduce(Registry& registry) {
  Algorithm row = row_of("segmented_reduce", Result::folds);
  row.family = "reductions and scans";
  row.summary = "the fold of every segment that begins at a head flag, in order";
  row.io = {"5n/b + n/length + O(k)",
            [](const Symbols& s) { return 5 * s.n / s.b + s.n / s["length"] + 8 * s.k; }};
  row.program = segmented_reduce::make_program<SimulatedDevice>;
  registry.add(std::move(row));
}

}  // namespace agpusim
