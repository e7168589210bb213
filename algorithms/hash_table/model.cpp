#include <fmt/format.h>

#include "agpusim/algorithms/common/form.hpp"
#include "agpusim/algorithms/common/symbols.hpp"
#include "agpusim/algorithms/hash_table/program.hpp"
#include "agpusim/algorithms/registry.hpp"
#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim {
namespace {

using namespace hash_table;

void check(const RunConfig& config) {
  const std::int64_t load = config.parameters.at("load");
  if (load > 99) {
    throw UsageError(fmt::format("hash_table: load = {}: 1 to 99 percent of the home slots", load));
  }
  constexpr std::int64_t most_slots = std::int64_t{1} << 30;
  if (100 * config.n / load + config.n >= most_slots) {
    throw UsageError(fmt::format(
        "hash_table: n = {} keys at a load of {} percent need more than 2^30 slots; use fewer keys",
        config.n, load));
  }
  const std::int64_t words = (config.parameters.at("per_lane") + 2) * config.spec.width *
                             config.spec.words_per_element(sizeof(std::uint32_t));
  if (words > config.spec.shared_words) {
    throw UsageError(
        fmt::format("hash_table: its scan needs {} words of shared memory for a tile and sums, but "
                    "M = {}; use a larger M, a smaller V or a smaller per_lane",
                    words, config.spec.shared_words));
  }
}

/// Keys are inserted one after the other, then searched for.
std::uint64_t reference(const RunConfig& config) {
  const Slots table = table_of(config);
  std::vector<std::uint32_t> slots(static_cast<std::size_t>(table.slots(config.n)), empty);
  const auto end_of_search = [&](std::uint32_t key) {
    auto slot = static_cast<std::size_t>(table.home(key));
    while (slots[slot] != empty && slots[slot] != key) ++slot;
    return slot;
  };
  for (const std::uint32_t key : keys_of(config)) slots[end_of_search(key)] = key;
  std::vector<std::int32_t> found;
  for (const std::uint32_t key : wanted_of(config)) {
    const std::size_t slot = end_of_search(key);
    const auto place = static_cast<std::int32_t>(slot);
    found.push_back(slots[slot] == key ? place : -1 - place);
  }
  return checksum<std::int32_t>(found);
}

/// Slots that all searches look at.
double all_probes(const Symbols& s) {
  const Probes each = expected_probes(s.config);
  return s.n * (each.present + each.absent);
}

double slots(const Symbols& s) { return s.n * 100 / s["load"] + s.n; }

LowerBound lower_bound(const RunConfig& config) {
  const std::int64_t words = config.spec.words_per_element(sizeof(std::uint32_t));
  return lower_bound_of_io(config, ceil_div(5 * config.n * words, config.spec.block_words),
                           "n keys and 2n that are searched for are read, 2n answers are written");
}

}  // namespace

void register_hash_table(Registry& registry) {
  Algorithm row;
  row.name = "hash_table";
  row.family = "searches and tables";
  row.summary =
      "n keys in the order of their homes are put into a table by linear probing; they and n "
      "others "
      "are searched for";
  row.source =
      "seed 004, future work; Knuth, TAOCP 3, 6.4, algorithm L; Peterson, IBM J. Res. Dev. 1(2), "
      "1957; theory 3.8";
  row.time = {
      "Theta(P/k + (n/p)(1 + log b)), P = n (E_there + E_not) probes",
      [](const Symbols& s) { return all_probes(s) / s.k + s.n / s.p * (40 + 8 * lg(s.b)); }};
  row.io = {"P + (m + n)/b + Theta(n/b)",
            [](const Symbols& s) { return all_probes(s) + slots(s) / s.b + 12 * s.n / s.b; }};
  row.types = {"u32"};
  row.inputs = {"distinct"};
  row.parameters = segment_parameters();
  row.parameters.push_back({"per_lane",
                            "c, neighbours a lane of the scan folds; odd avoids bank conflicts",
                            [](const RunConfig&) { return scan::default_per_lane; }});
  row.parameters.push_back({"load", "keys, in percent of the m home slots, 1 to 99",
                            [](const RunConfig&) { return std::int64_t{50}; }});
  row.check = check;
  row.program = hash_table::make_program<SimulatedDevice>;
  row.reference = reference;
  row.lower_bound = lower_bound;
  registry.add(std::move(row));
}

}  // namespace agpusim
