#include "agpusim/algorithms/integer_sorts/integer_sort.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim {

void check_segments(const RunConfig& config) {
  const auto range = config.parameters.find("range");
  check_segments(config, segmentation(config),
                 std::max(config.n + 1, range != config.parameters.end() ? range->second : 0));
}

void check_segments(const RunConfig& config, const Segmentation& how, std::int64_t longest) {
  if (cut(longest, how).per_task > std::int64_t{1} << 30) {
    throw UsageError(
        fmt::format("{}: a task would take {} elements, at most 2^30 are possible; use more tasks "
                    "or a larger p",
                    config.algorithm, cut(longest, how).per_task));
  }
  if (config.n >= std::int64_t{1} << 31) {
    throw UsageError(
        fmt::format("{}: n = {}: counts and places are 32-bit words, at most 2^31 - 1 elements",
                    config.algorithm, config.n));
  }
}

void check_shared_bins(const RunConfig& config) {
  const std::int64_t words = config.parameters.at("range") * element_words(config);
  if (words > config.spec.shared_words) {
    throw UsageError(fmt::format(
        "{} (shared): range = {} bins need {} words of shared memory, but M = {}; use the variant "
        "global, a larger M or a smaller range",
        config.algorithm, config.parameters.at("range"), words, config.spec.shared_words));
  }
}

void complete_integer_row(Algorithm& row) {
  row.types = {"i32"};
  row.inputs = key_kinds();
  row.min_n = 0;
  row.given_values = true;
}

histogram::Bins bins_of(const RunConfig& config) {
  const KeyShape shape = key_shape(config);
  return {shape.n, static_cast<std::int32_t>(shape.min), static_cast<std::int32_t>(shape.range)};
}

std::vector<std::int32_t> bins_of_keys(const RunConfig& config) {
  // Comparisons ask for the same keys for one algorithm after the other.
  struct Last {
    std::string input;
    KeyShape shape;
    std::uint64_t seed = 0;
    std::vector<std::int32_t> bins;
  };
  thread_local Last last;
  const KeyShape shape = key_shape(config);
  if (last.input == config.input && last.shape == shape && last.seed == config.seed) {
    return last.bins;
  }
  std::vector<std::int32_t> bins = generate_keys(config.input, shape, config.seed);
  const auto min = static_cast<std::int32_t>(shape.min);
  for (std::int32_t& key : bins) key = static_cast<std::int32_t>(std::int64_t{key} - min);
  last = {config.input, shape, config.seed, bins};
  return bins;
}

double expected_values(const RunConfig& config) {
  const KeyShape shape = key_shape(config);
  const auto n = static_cast<double>(shape.n);
  if (config.input == "equal" || n == 0) return 1;
  if (config.input == "distinct") return n;
  const auto values = static_cast<double>(shape.values);
  return std::max(1.0, values * (1 - std::exp(-n / values)));
}

KeysOfWarp keys_of_warp(const RunConfig& config) {
  const Symbols s(config);
  const double range = s["range"];
  const double values = std::max(1.0, s["values"]);
  const std::string& input = config.input;
  if (input == "equal") return {1, s.b};
  if (input == "sorted" || input == "reversed") {
    return {1 + std::min(s.b, range / s.n), std::clamp(s.n / values, 1.0, s.b)};
  }
  // b throws into the blocks that hold values.
  const bool distinct = input == "distinct";
  const double blocks = std::max(1.0, std::min(range / s.b, distinct ? range : values));
  const double met = blocks * (1 - std::pow(1 - 1 / blocks, s.b));
  if (distinct) return {met, 1};
  return {met, 1 + s.b / (input == "zipf" ? lg(values) : values)};
}

Bound histogram_time(histogram::Place place) {
  switch (place) {
    case histogram::Place::shared:
      return {"(n/p) log b / log log b + R/b", [](const Symbols& s) {
                const std::string& input = s.config.input;
                const bool in_order = input == "sorted" || input == "reversed";
                const double conflicts = in_order ? 1 : lg(s.b) / lg(lg(s.b));
                // Bins are cleared, read again and, if they count something, added.
                return s.n / s.p * std::max(conflicts, keys_of_warp(s.config).equal) +
                       4 * s["range"] / s.b;
              }};
    case histogram::Place::sorted:
      return {"(n/p) log^2 b + R/b",
              [](const Symbols& s) { return s.n / s.p * lg(s.b) * lg(s.b) + s["range"] / s.b; }};
    default:
      return {"(n/p)(D + kappa) + R/p", [](const Symbols& s) {
                const KeysOfWarp keys = keys_of_warp(s.config);
                return s.n / s.p * (keys.blocks + keys.equal) + s["range"] / s.p;
              }};
  }
}

Bound histogram_io(histogram::Place place) {
  switch (place) {
    case histogram::Place::shared:
      return {"(n+R)/b + min(kR/b, n)", [](const Symbols& s) {
                return (s.n + s["range"]) / s.b + std::min(s.k * s["range"] / s.b, s.n);
              }};
    case histogram::Place::sorted:
      return {"(n + 2kR + R)/b",
              [](const Symbols& s) { return (s.n + (2 * s.k + 1) * s["range"]) / s.b; }};
    default:
      return {"(n+R)/b + Dn/b", [](const Symbols& s) {
                return (s.n + s["range"] + keys_of_warp(s.config).blocks * s.n) / s.b;
              }};
  }
}

std::string histogram_help(histogram::Place place) {
  switch (place) {
    case histogram::Place::shared:
      return "each task counts keys in shared memory first: needs range <= M";
    case histogram::Place::sorted:
      return "no atomics: b keys sorted at a time; needs V = b";
    default:
      return "keys are counted by atomic additions in global memory";
  }
}

std::uint64_t sorted_keys_checksum(const RunConfig& config) {
  std::vector<std::int32_t> keys = generate_keys(config);
  std::sort(keys.begin(), keys.end());
  return checksum<std::int32_t>(keys);
}

LowerBound integer_sort_bound(const RunConfig& config) {
  const std::int64_t blocks = element_blocks(config, config.n);
  return lower_bound_of_io(config, 2 * blocks, "every block is read and every block is written");
}

}  // namespace agpusim
