#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/inputs.hpp"
#include "agpusim/algorithms/rank_sort/kernel.hpp"
#include "agpusim/model/cost/units.hpp"
#include "agpusim/model/run/host_program.hpp"
#include "agpusim/model/run/run.hpp"

namespace agpusim::rank_sort {

/// How a run is cut into tasks.
struct Layout {
  std::int32_t n;         ///< keys
  std::int32_t own;       ///< keys of a lane
  std::int32_t slices;    ///< lanes that share the counting for a key
  std::int32_t lanes;     ///< P = V/slices
  std::int32_t per_task;  ///< keys that a task counts for: P·own
  std::int32_t tasks;     ///< none where there is no key
  std::int32_t tile;      ///< keys of a tile, as far as there are so many
};

/// What the keys of a tile are a multiple of.
inline std::int64_t tile_step(const RunConfig& config) {
  return config.variant == "rotated" ? config.spec.block_words : config.parameters.at("slices");
}

inline Layout layout(const RunConfig& config) {
  const auto parameter = [&](const char* name) {
    return static_cast<std::int32_t>(config.parameters.at(name));
  };
  Layout result{};
  result.n = static_cast<std::int32_t>(config.n);
  result.own = parameter("own");
  result.slices = parameter("slices");
  result.lanes = config.spec.width / result.slices;
  result.per_task = result.lanes * result.own;
  result.tasks =
      static_cast<std::int32_t>(config.variant == "in_place" ? std::min<std::int64_t>(config.n, 1)
                                                             : ceil_div(config.n, result.per_task));
  const std::int64_t step = tile_step(config);
  result.tile = static_cast<std::int32_t>(
      std::min(config.parameters.at("tile"), ceil_div(config.n, step) * step));
  return result;
}

/// Calls f.operator()<own>() with the number of keys of a lane, 1, 2, 4 or 8.
template <class F>
void with_own(std::int32_t own, F f) {
  switch (own) {
    case 1:
      return f.template operator()<1>();
    case 2:
      return f.template operator()<2>();
    case 4:
      return f.template operator()<4>();
    default:
      return f.template operator()<8>();
  }
}

/// The one launch of a run, of keys of type Key. The variant in_place takes the keys from `out`.
template <class Key, class Device, class In, class Out>
void launch(Device& device, const RunConfig& config, const In& in, const Out& out) {
  const Layout l = layout(config);
  if (config.variant == "in_place") {
    device.launch(l.tasks, RankInPlace<Key>{l.n}, out);
  } else if (config.variant == "global") {
    device.launch(l.tasks, RankGlobal{l.n}, in, out);
  } else if (config.variant == "unique_keys") {
    device.launch(l.tasks, RankUnique{l.n}, in, out);
  } else if (config.variant == "rotated") {
    device.launch(l.tasks, RankRotated<Key>{l.n, l.tile, config.spec.block_words}, in, out);
  } else {
    with_own(l.own, [&]<std::int32_t own>() {
      const auto lanes = static_cast<std::uint32_t>(l.lanes);
      const Slicing slicing{l.slices, l.lanes,
                            std::has_single_bit(lanes) ? std::countr_zero(lanes) : -1};
      const std::int32_t rounds = (l.n + l.slices - 1) / l.slices;
      const std::int32_t tile_rounds = l.tile / l.slices;
      if (l.slices > 1) {
        device.launch(l.tasks, RankTiled<Key, own, true>{l.n, tile_rounds, rounds, slicing}, in,
                      out);
      } else {
        device.launch(l.tasks, RankTiled<Key, own, false>{l.n, tile_rounds, rounds, slicing}, in,
                      out);
      }
    });
  }
}

/// The host program of the algorithm `rank_sort`.
template <class Device, class Key>
class Program {
 public:
  Program(Device& device, const RunConfig& config)
      : device_(device),
        config_(config),
        in_(device.template allocate<Key>(config.n, "in")),
        out_(config.variant == "in_place" ? in_ : device.template allocate<Key>(config.n, "out")) {
    device_.template upload<Key>(
        in_, [&] { return generate<Key>(config.input, config.n, config.seed); });
  }

  void run() { launch<Key>(device_, config_, in_, out_); }
  std::uint64_t checksum() { return agpusim::checksum<Key>(device_.download(out_)); }

 private:
  Device& device_;
  RunConfig config_;
  typename Device::template Array<Key> in_;
  typename Device::template Array<Key> out_;
};

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return with_element_type(
      config.type, [&]<class T>(T) { return host_program<Program<Device, T>>(device, config); });
}

}  // namespace agpusim::rank_sort
