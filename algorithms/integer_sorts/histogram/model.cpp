#include <fmt/format.h>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/integer_sorts/histogram/program.hpp"
#include "agpusim/algorithms/integer_sorts/integer_sort.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim {
namespace {

using namespace histogram;

void check(const RunConfig& config) {
  check_keys(config);
  check_segments(config);
  const AgpuSpec& spec = config.spec;
  const Place place = place_of(config.variant);
  if (place == Place::shared) check_shared_bins(config);
  if (place != Place::sorted) return;
  if (spec.width != spec.block_words || !is_power_of_two(spec.width) ||
      element_words(config) != 1) {
    throw UsageError(
        fmt::format("histogram (sorted) needs V = b, a power of two, and keys of one word; here "
                    "V = {}, b = {}, {} words per key",
                    spec.width, spec.block_words, element_words(config)));
  }
  const std::int64_t range = config.parameters.at("range");
  if (spec.width + range > spec.shared_words) {
    throw UsageError(fmt::format(
        "histogram (sorted): a table of range = {} bins and a row of V = {} keys do not fit into "
        "M = {} words; use a larger M or a smaller range",
        range, spec.width, spec.shared_words));
  }
}

std::uint64_t reference(const RunConfig& config) {
  std::vector<std::int32_t> counts(static_cast<std::size_t>(config.parameters.at("range")));
  for (const std::int32_t bin : bins_of_keys(config)) ++counts[static_cast<std::size_t>(bin)];
  return checksum<std::int32_t>(counts);
}

LowerBound lower_bound(const RunConfig& config) {
  const std::int64_t words = element_words(config);
  const std::int64_t b = config.spec.block_words;
  const std::int64_t io =
      ceil_div(config.n * words, b) + ceil_div(config.parameters.at("range") * words, b);
  return lower_bound_of_io(config, io,
                           "every block of keys is read and every block of bins is written");
}

}  // namespace

void register_histogram(Registry& registry) {
  Algorithm row;
  row.name = "histogram";
  row.family = "integer sorts";
  row.summary = "number of keys of each value";
  row.source = "Kozakai, Bulletin of Hosei University 63, 2022, algorithm 1; theory 3.6";
  for (const char* const name : {"global", "shared", "sorted"}) {
    const Place place = place_of(name);
    const char* const keys = place == Place::global ? keys_of_warp_text : "";
    Bound time = histogram_time(place);
    time.text = fmt::format("Theta({}){}", time.text, keys);
    row.variants.push_back({.name = name,
                            .time = std::move(time),
                            .io = histogram_io(place),
                            .help = histogram_help(place)});
  }
  complete_integer_row(row);
  row.parameters = key_parameters();
  for (Parameter& parameter : segment_parameters()) row.parameters.push_back(std::move(parameter));
  row.check = check;
  row.program = histogram::make_program<SimulatedDevice>;
  row.reference = reference;
  row.lower_bound = lower_bound;
  registry.add(std::move(row));
}

}  // namespace agpusim
