#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "agpusim/algorithms/common/permutation.hpp"
#include "agpusim/algorithms/common/segment_parameters.hpp"
#include "agpusim/algorithms/integer_sorts/scatter/kernel.hpp"
#include "agpusim/algorithms/own_program.hpp"

namespace agpusim::scatter {

/// The places of n elements: "random" (a random permutation), "identity" or "reversed".
inline std::vector<std::int32_t> places(const RunConfig& config) {
  const Permutation permutation(static_cast<std::uint64_t>(config.n), config.seed);
  std::vector<std::int32_t> result(static_cast<std::size_t>(config.n));
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::uint64_t place = config.input == "random"     ? permutation(i)
                                : config.input == "reversed" ? result.size() - 1 - i
                                                             : i;
    result[i] = static_cast<std::int32_t>(place);
  }
  return result;
}

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return own_program<Device, std::uint32_t, std::uint64_t>(
      device, config, [&]<class T>(OwnRun<Device, T>& run) {
        const Cut cut(config.n, segmentation(config));
        const auto index = run.upload(config.n, "index", [&] { return places(config); });
        const auto in = run.upload(config.n, "in",
                                   [&] { return generate<T>("uniform", config.n, config.seed); });
        const auto out = run.array(config.n, "out");
        if (config.n > 0) run.launch(cut.host().tasks, Scatter{cut}, index, in, out);
        run.result(out);
      });
}

}  // namespace agpusim::scatter
