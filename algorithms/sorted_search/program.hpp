#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "agpusim/algorithms/own_program.hpp"
#include "agpusim/algorithms/sorted_search/kernel.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim::sorted_search {

/// The sorted keys (number 0) or needles (1) of a run.
template <class Key>
std::vector<Key> operand(const RunConfig& config, std::uint64_t number) {
  std::vector<Key> keys = generate<Key>(config.input, config.n, config.seed + number);
  std::sort(keys.begin(), keys.end());
  return keys;
}

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return own_program<Device, std::uint32_t, std::uint64_t>(
      device, config, [&]<class Key>(OwnRun<Device, Key>& run) {
        const auto n = static_cast<std::int32_t>(config.n);
        const auto keys = run.upload(n, "keys", [&] { return operand<Key>(config, 0); });
        const auto needles = run.upload(n, "needles", [&] { return operand<Key>(config, 1); });
        const auto out = run.template array<std::int32_t>(n, "out");
        run.launch(run.tasks_of(run.width()), SearchKeys{n, n}, keys, needles, out);
        run.result(out);
      });
}

}  // namespace agpusim::sorted_search
