#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/fill.hpp"
#include "agpusim/algorithms/common/operators.hpp"
#include "agpusim/algorithms/hash_table/keys.hpp"
#include "agpusim/algorithms/scan/program.hpp"
#include "agpusim/model/run/host_program.hpp"

namespace agpusim::hash_table {

/// The host program of the algorithm `hash_table`: n keys are inserted, then 2n searched for.
template <class Device>
class Program {
 public:
  Program(Device& device, const RunConfig& config)
      : device_(device),
        config_(config),
        table_(table_of(config)),
        keys_cut_(scan::cut_of_run(config)),
        slots_cut_(table_.slots(config.n), segmentation(config)),
        wanted_cut_(2 * config.n, segmentation(config)),
        keys_(device.template allocate<std::uint32_t>(config.n, "keys")),
        wanted_(device.template allocate<std::uint32_t>(2 * config.n, "wanted")),
        shift_(device.template allocate<std::int32_t>(config.n, "shift")),
        slots_(device.template allocate<std::uint32_t>(table_.slots(config.n), "slots")),
        found_(device.template allocate<std::int32_t>(2 * config.n, "found")),
        scan_(device, keys_cut_, scan::method_of_run<scan::LaneSerial>(config)) {
    device_.template upload<std::uint32_t>(keys_, [&] { return keys_of(config); });
    device_.template upload<std::uint32_t>(wanted_, [&] { return wanted_of(config); });
  }

  void run() {
    device_.launch(slots_cut_.host().tasks, Fill<std::uint32_t>{slots_cut_, empty}, slots_);
    device_.launch(keys_cut_.host().tasks, Displace{keys_cut_, table_}, keys_, shift_);
    scan_(shift_, shift_, scan::Kind::inclusive, operators::Max<std::int32_t>::identity);
    device_.launch(keys_cut_.host().tasks, Place{keys_cut_}, keys_, shift_, slots_);
    device_.launch(wanted_cut_.host().tasks, Find{wanted_cut_, table_}, wanted_, slots_, found_);
  }
  std::uint64_t checksum() { return agpusim::checksum<std::int32_t>(device_.download(found_)); }
  std::vector<NamedValue> values() {
    const Probes counted = counted_probes(config_, device_.download(found_));
    const Probes expected = expected_probes(config_);
    const auto text = [](double of_run, double of_theory) {
      return fmt::format("{:.4f} a key, Knuth's expectation {:.4f}", of_run, of_theory);
    };
    return {{"probes, key there", text(counted.present, expected.present)},
            {"probes, not there", text(counted.absent, expected.absent)}};
  }

 private:
  Device& device_;
  RunConfig config_;
  Slots table_;
  Cut keys_cut_;
  Cut slots_cut_;
  Cut wanted_cut_;
  typename Device::template Array<std::uint32_t> keys_;
  typename Device::template Array<std::uint32_t> wanted_;
  typename Device::template Array<std::int32_t> shift_;
  typename Device::template Array<std::uint32_t> slots_;
  typename Device::template Array<std::int32_t> found_;
  scan::Scan<Device, operators::Max<std::int32_t>> scan_;
};

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return host_program<Program<Device>>(device, config);
}

}  // namespace agpusim::hash_table
