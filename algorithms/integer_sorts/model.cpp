#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/integer_sorts/integer_sort.hpp"
#include "agpusim/algorithms/integer_sorts/program.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/error.hpp"

// The rows of the sorts by histogram and prefix sums.
namespace agpusim {
namespace {

void check(const RunConfig& config) {
  check_keys(config);
  check_segments(config);
  if (config.variant == "shared") check_shared_bins(config);
  const std::int64_t words =
      config.spec.width * (config.parameters.at("per_lane") + 2) * element_words(config);
  if (words > config.spec.shared_words) {
    throw UsageError(
        fmt::format("{}: the scan's tiles of V·c elements and 2V sums need {} words of shared "
                    "memory, but M = {}; use a larger M, a smaller V or a smaller per_lane",
                    config.algorithm, words, config.spec.shared_words));
  }
}

const char* legend(histogram::Place place) {
  return place == histogram::Place::global ? keys_of_warp_text : "";
}

/// Scans of n and of R elements in tiles of V·c, and passes that cost less.
Bound time_of_sort(histogram::Place place, const Bound& more) {
  const Bound first = histogram_time(place);
  return {
      fmt::format("Theta({} + ((n+R)/p)(1 + log V / c){}){}", first.text, more.text, legend(place)),
      [first = first.value, more = more.value](const Symbols& s) {
        constexpr double scan = 12;  // T of a scan where a histogram without conflicts has 1
        const double passes = (s.n + s["range"]) / s.p * (1 + lg(s.width) / s["per_lane"]);
        return first(s.config) + scan * passes + (more ? more(s.config) : 0);
      }};
}

Bound io_of_sort(histogram::Place place, const Bound& rest) {
  const Bound first = histogram_io(place);
  return {fmt::format("{} + {}{}", rest.text, first.text, legend(place)),
          [first = first.value, rest = rest.value](const RunConfig& config) {
            return first(config) + rest(config);
          }};
}

/// What the rows of the H-P sorts share: variants (where the first histogram counts), inputs,
/// parameters, checks, reference and lower bound. The rest is to be filled in. `io` is what Q has
/// besides the first histogram, `time` what T has besides it and a few passes over keys and values.
Algorithm integer_sort_row(const Bound& io, const Bound& time = {}) {
  Algorithm row;
  for (const char* const name : {"global", "shared"}) {
    const histogram::Place place = histogram::place_of(name);
    row.variants.push_back({.name = name,
                            .time = time_of_sort(place, time),
                            .io = io_of_sort(place, io),
                            .help = histogram_help(place)});
  }
  complete_integer_row(row);
  row.parameters = key_parameters();
  for (Parameter& parameter : segment_parameters()) row.parameters.push_back(std::move(parameter));
  row.parameters.push_back({"per_lane", "c, neighbours a lane of the scans folds",
                            [](const RunConfig&) { return scan::default_per_lane; }});
  row.check = check;
  row.reference = sorted_keys_checksum;
  row.lower_bound = integer_sort_bound;
  return row;
}

/// Steps of the searches of a row of b places: where a run ends in it, by steps that double and
/// then by halves over bR/n values.
double search_steps(const Symbols& s) {
  const double rows_with_ends = std::min(1.0, s.b * expected_values(s.config) / s.n);
  return rows_with_ends * std::log2(1 + s.b * s["range"] / s.n);
}

Bound time_of(histogram::Place place) {
  const Bound first = histogram_time(place);
  return {fmt::format("Theta({} + (R/p)(1 + log V / c) + (n/p)(1 + lg(1+bR/n)))", first.text),
          [first = first.value](const Symbols& s) {
            constexpr double scan = 12;    // T of a scan where a histogram without conflicts has 1
            constexpr double write = 6;    // T of a row of b places without a search
            constexpr double search = 19;  // T of a step of a search
            return first(s.config) + scan * s["range"] / s.p * (1 + lg(s.width) / s["per_lane"]) +
                   s.n / s.p * (write + search * search_steps(s));
          }};
}

Bound io_of(histogram::Place place) {
  const Bound first = histogram_io(place);
  return {fmt::format("(n+3R)/b + (n/b) lg(1+bR/n) + {}", first.text),
          [first = first.value](const Symbols& s) {
            constexpr double search = 4;  // blocks read in a step of a search
            return first(s.config) + (s.n * (1 + search * search_steps(s)) + 3 * s["range"]) / s.b;
          }};
}

/// The tail of `by_keys` sees no duplicates: given keys are looked at one by one.
void refuse_duplicates(const RunConfig& config) {
  std::vector<std::int32_t> keys = generate_keys(config);
  std::sort(keys.begin(), keys.end());
  const auto repeated = std::adjacent_find(keys.begin(), keys.end());
  if (repeated == keys.end()) return;
  throw UsageError(
      fmt::format("one_hp_sort sorts distinct keys, but key {} occurs more than once (it is the "
                  "smallest such key); use hp_sort",
                  *repeated));
}

/// The variant whose tail goes through the keys: D blocks of Ap and of y for b of them.
Variant by_keys(const Variant& global) {
  const histogram::Place place = histogram::Place::global;
  return {
      .name = "by_keys",
      .time = {fmt::format("Theta({} + 2(n/p)D + ((n+R)/p)(1 + log V / c)){}",
                           histogram_time(place).text, keys_of_warp_text),
               [time = global.time.value](const Symbols& s) {
                 return time(s.config) + s.n / s.p * 2 * keys_of_warp(s.config).blocks;
               }},
      .io = {fmt::format("(n+5R)/b + 2Dn/b + {}{}", histogram_io(place).text, keys_of_warp_text),
             [io = histogram_io(place).value](const Symbols& s) {
               const double blocks = keys_of_warp(s.config).blocks;
               return (s.n + 5 * s["range"] + 2 * blocks * s.n) / s.b + io(s.config);
             }},
      .help = "as global, but each key, not each value, looks up its place"};
}

}  // namespace

void register_hp_sort(Registry& registry) {
  Algorithm row = integer_sort_row(
      {"(5n+5R)/b", [](const Symbols& s) { return (5 * s.n + 5 * s["range"]) / s.b; }},
      {" + (R/p) min(b, R/len)", [](const Symbols& s) {
         const double range = s["range"];
         return range / s.p * std::min(s.b, range / expected_values(s.config));
       }});
  row.name = "hp_sort";
  row.family = "integer sorts";
  row.summary = "H-P sort of integers: histogram, prefix sums, histogram, prefix sums";
  row.source = "Kozakai, Bulletin of Hosei University 63, 2022, algorithm 2; theory 3.3, 3.6";
  row.program = hp_sort::make_program<SimulatedDevice>;
  registry.add(std::move(row));
}

void register_fused_hp_sort(Registry& registry) {
  Algorithm row = integer_sort_row({});
  for (Variant& variant : row.variants) {
    const histogram::Place place = histogram::place_of(variant.name);
    const char* const legend = place == histogram::Place::global ? keys_of_warp_text : "";
    variant.time = time_of(place);
    variant.io = io_of(place);
    variant.time.text += legend;
    variant.io.text += legend;
  }
  row.name = "fused_hp_sort";
  row.family = "integer sorts";
  row.summary = "H-P sort of integers whose second half is one phase that writes every key once";
  row.source = "theory 3.3, after Kozakai, Bulletin of Hosei University 63, 2022, algorithm 2";
  row.program = fused_hp_sort::make_program<SimulatedDevice>;
  registry.add(std::move(row));
}

void register_one_hp_sort(Registry& registry) {
  Algorithm row = integer_sort_row(
      {"(1n+7R)/b", [](const Symbols& s) { return (1 * s.n + 7 * s["range"]) / s.b; }});
  row.name = "one_hp_sort";
  row.family = "integer sorts";
  row.summary = "1-H-P sort of distinct integers: histogram, prefix sums, one scatter";
  row.source = "Kozakai, Bulletin of Hosei University 63, 2022, algorithm 3; theory 3.4, 3.6";
  row.inputs = {"distinct", "sorted", "reversed"};
  row.variants.push_back(by_keys(row.variants.front()));
  row.program = one_hp_sort::make_program<SimulatedDevice>;
  row.check = [check = row.check](const RunConfig& config) {
    check(config);
    const std::int64_t values = config.parameters.at("values");
    if (!is_given(config.input) && config.input != "distinct" && config.n > values) {
      throw UsageError(
          fmt::format("one_hp_sort sorts distinct keys, but input {} repeats some of {} values {} "
                      "times; use input distinct, or hp_sort",
                      config.input, values, config.n));
    }
    if (config.variant == "by_keys" && is_given(config.input)) refuse_duplicates(config);
  };
  registry.add(std::move(row));
}

void register_zero_compressed_hp_sort(Registry& registry) {
  Algorithm row =
      integer_sort_row({"(5n+9R+10len)/b", [](const Symbols& s) {
                          return (5 * s.n + 9 * s["range"] + 10 * expected_values(s.config)) / s.b;
                        }});
  row.name = "zero_compressed_hp_sort";
  row.family = "integer sorts";
  row.summary = "H-P sort in which only the values that occur pass through the second half";
  row.source = "Kozakai, Bulletin of Hosei University 63, 2022, algorithm 5; theory 3.5, 3.6";
  row.program = zero_compressed_hp_sort::make_program<SimulatedDevice>;
  registry.add(std::move(row));
}

void register_run_head_hp_sort(Registry& registry) {
  Algorithm row = integer_sort_row(
      {"(5n+7R)/b", [](const Symbols& s) { return (5 * s.n + 7 * s["range"]) / s.b; }});
  row.name = "run_head_hp_sort";
  row.family = "integer sorts";
  row.summary = "sort of integers by one histogram, a scatter of run heads and a max-scan";
  row.source = "theory 3.4, after Kozakai, Bulletin of Hosei University 63, 2022, algorithm 3";
  row.program = run_head_hp_sort::make_program<SimulatedDevice>;
  registry.add(std::move(row));
}

}  // namespace agpusim
