#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "agpusim/algorithms/own_program.hpp"
#include "agpusim/algorithms/rank_sort/destinations.hpp"
#include "agpusim/algorithms/rank_sort/kernel.hpp"
#include "agpusim/model/cost/units.hpp"

namespace agpusim::rank_sort {

/// Whether one task sorts all keys in their own array.
inline bool is_in_place(const RunConfig& config) {
  return config.variant == "in_place" || config.variant == "in_place_array";
}

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
      static_cast<std::int32_t>(is_in_place(config) ? std::min<std::int64_t>(config.n, 1)
                                                    : ceil_div(config.n, result.per_task));
  const std::int64_t step = tile_step(config);
  result.tile = static_cast<std::int32_t>(
      std::min(config.parameters.at("tile"), ceil_div(config.n, step) * step));
  return result;
}

/// Keys of a lane in the variants descending and payload: with every number that registers has
/// there would be twice as many kernels to compile.
inline constexpr std::int32_t fixed_own = 4;

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

/// Calls f(kernel) with the tiled kernel of a run whose lanes hold `own` keys.
template <class Key, std::int32_t own, class F>
void with_tiled_kernel(const RunConfig& config, F f) {
  const Layout l = layout(config);
  const auto lanes = static_cast<std::uint32_t>(l.lanes);
  const Slicing slicing{l.slices, l.lanes,
                        std::has_single_bit(lanes) ? std::countr_zero(lanes) : -1};
  const std::int32_t rounds = (l.n + l.slices - 1) / l.slices;
  const std::int32_t tile_rounds = l.tile / l.slices;
  if (l.slices > 1) {
    f(RankTiled<Key, own, true>{l.n, tile_rounds, rounds, slicing});
  } else {
    f(RankTiled<Key, own, false>{l.n, tile_rounds, rounds, slicing});
  }
}

/// The one launch of a run that has no other arrays than these, of keys of type Key. The variant
/// in_place takes the keys from `out`.
template <class Key, class Device, class In, class Out>
void launch(Device& device, const RunConfig& config, const In& in, const Out& out) {
  const Layout l = layout(config);
  if (config.variant == "in_place") {
    device.launch(l.tasks, RankInPlace<Key>{l.n}, out);
  } else if (config.variant == "global") {
    device.launch(l.tasks, RankGlobal{l.n}, in, out);
  } else if (config.variant == "looped") {
    device.launch(l.tasks, RankLooped{l.n, l.own}, in, out);
  } else if (config.variant == "unique_keys") {
    device.launch(l.tasks, RankUnique{l.n}, in, out);
  } else if (config.variant == "rotated") {
    device.launch(l.tasks, RankRotated<Key>{l.n, l.tile, config.spec.block_words}, in, out);
  } else if (config.variant == "descending") {
    with_tiled_kernel<Key, fixed_own>(config, [&]<class Kernel>(const Kernel& kernel) {
      device.launch(l.tasks, RankDescending<Kernel>{kernel, l.n - 1}, in, out);
    });
  } else {
    with_own(l.own, [&]<std::int32_t own>() {
      with_tiled_kernel<Key, own>(
          config, [&](const auto& kernel) { device.launch(l.tasks, kernel, in, out); });
    });
  }
}

/// The result of the variant payload, in which key number i of the input carries i.
template <class Key>
[[nodiscard]] std::vector<Key> records(std::vector<Key> keys,
                                       const std::vector<std::uint32_t>& payload) {
  keys.insert(keys.end(), payload.begin(), payload.end());
  return keys;
}

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return own_program<Device, std::uint32_t, std::uint64_t>(
      device, config, [&]<class Key>(OwnRun<Device, Key>& run) {
        const Layout l = layout(config);
        const auto in = run.input("in");
        const auto out = is_in_place(config) ? in : run.array(l.n, "out");
        run.result(out);
        if (config.variant == "in_place_array") {
          const auto ranks = run.template array<std::int32_t>(l.n, "ranks");
          run.launch(l.tasks, RankInPlaceArray<Key>{l.n}, out, ranks);
        } else if (config.variant == "payload") {
          const auto payload = run.upload(l.n, "payload", [&] {
            std::vector<std::uint32_t> places(static_cast<std::size_t>(config.n));
            std::iota(places.begin(), places.end(), std::uint32_t{0});
            return places;
          });
          const auto sorted = run.template array<std::uint32_t>(l.n, "sorted payload");
          with_tiled_kernel<Key, fixed_own>(config, [&]<class Kernel>(const Kernel& kernel) {
            run.launch(l.tasks, RankRecords<Kernel>{kernel}, in, out, payload, sorted);
          });
          run.result([&run, out, sorted] {
            return records<Key>(run.download(out), run.download(sorted));
          });
        } else {
          launch<Key>(run, config, in, out);
        }
      });
}

}  // namespace agpusim::rank_sort
