#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/common/fill.hpp"
#include "agpusim/algorithms/common/operators.hpp"
#include "agpusim/algorithms/hash_table/keys.hpp"
#include "agpusim/algorithms/scan/program.hpp"

namespace agpusim::hash_table {

/// The program of a run on `device`: n keys are inserted, then 2n searched for.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return own_program<Device, std::uint32_t>(device, config, [&](auto& run) {
    const Slots table = table_of(config);
    const Cut of_keys = scan::cut_of_run(config);
    const Cut of_slots(table.slots(config.n), segmentation(config));
    const Cut of_wanted(2 * config.n, segmentation(config));
    const auto keys = run.upload(config.n, "keys", [&] { return keys_of(config); });
    const auto wanted = run.upload(2 * config.n, "wanted", [&] { return wanted_of(config); });
    const auto shift = run.template array<std::int32_t>(config.n, "shift");
    const auto slots = run.array(table.slots(config.n), "slots");
    const auto found = run.template array<std::int32_t>(2 * config.n, "found");
    using Max = operators::Max<std::int32_t>;
    run.launch(of_slots.host().tasks, Fill<std::uint32_t>{of_slots, empty}, slots);
    run.launch(of_keys.host().tasks, Displace{of_keys, table}, keys, shift);
    scan::launch<Max>(run, of_keys, scan::method_of_run<scan::LaneSerial>(config), shift, shift,
                      scan::Kind::inclusive, Max::identity);
    run.launch(of_keys.host().tasks, Place{of_keys}, keys, shift, slots);
    run.launch(of_wanted.host().tasks, Find{of_wanted, table}, wanted, slots, found);
    run.result(found);
    run.values([&run, config, found]() -> std::vector<NamedValue> {
      const Probes counted = counted_probes(config, run.download(found));
      const Probes expected = expected_probes(config);
      const auto text = [](double of_run, double of_theory) {
        return fmt::format("{:.4f} a key, Knuth's expectation {:.4f}", of_run, of_theory);
      };
      return {{"probes, key there", text(counted.present, expected.present)},
              {"probes, not there", text(counted.absent, expected.absent)}};
    });
  });
}

}  // namespace agpusim::hash_table
