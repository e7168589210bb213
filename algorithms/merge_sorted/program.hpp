#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/inputs.hpp"
#include "agpusim/algorithms/merge_sorted/kernel.hpp"
#include "agpusim/model/cost/units.hpp"
#include "agpusim/model/run/host_program.hpp"
#include "agpusim/model/run/run.hpp"

namespace agpusim::merge_sorted {

/// The keys of a run, of which A, the first half rounded up, and B are sorted.
template <class Key>
std::vector<Key> operands(const RunConfig& config, const Halves& halves) {
  std::vector<Key> keys = generate<Key>(config.input, config.n, config.seed);
  std::sort(keys.begin(), keys.begin() + halves.a);
  std::sort(keys.begin() + halves.a, keys.end());
  return keys;
}

/// The host program of the algorithm `merge_sorted`.
template <class Device, class Key>
class Program {
 public:
  Program(Device& device, const RunConfig& config)
      : device_(device),
        by_ranks_(config.variant == "ranks"),
        width_(config.spec.width),
        halves_{static_cast<std::int32_t>(ceil_div(config.n, 2)),
                static_cast<std::int32_t>(config.n / 2)},
        tile_(width_ * keys_of_lane),
        tiles_(static_cast<std::int32_t>(ceil_div(config.n, tile_))),
        in_(device.template allocate<Key>(config.n, "in")),
        cuts_(device.template allocate<std::int32_t>(by_ranks_ ? 0 : tiles_ + 1, "cuts")),
        out_(device.template allocate<Key>(config.n, "out")) {
    device_.template upload<Key>(in_, [&] { return operands<Key>(config, halves_); });
  }

  void run() {
    if (by_ranks_) {
      const auto tasks = [&](std::int32_t keys) {
        return static_cast<std::int32_t>(ceil_div(keys, width_));
      };
      const std::int32_t of_a = tasks(halves_.a);
      device_.launch(of_a + tasks(halves_.b), MergeByRanks{halves_, of_a}, in_, out_);
      return;
    }
    device_.launch(ceil_div(tiles_ + 1, width_), CutDiagonals{halves_, tile_, tiles_}, in_, cuts_);
    device_.launch(tiles_, MergeTiles<Key>{halves_, tile_}, in_, cuts_, out_);
  }
  std::uint64_t checksum() { return agpusim::checksum<Key>(device_.download(out_)); }

 private:
  Device& device_;
  bool by_ranks_;
  std::int32_t width_;  // V
  Halves halves_;
  std::int32_t tile_;
  std::int32_t tiles_;
  typename Device::template Array<Key> in_;
  typename Device::template Array<std::int32_t> cuts_;
  typename Device::template Array<Key> out_;
};

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return with_element_type(
      config.type, [&]<class T>(T) { return host_program<Program<Device, T>>(device, config); });
}

}  // namespace agpusim::merge_sorted
