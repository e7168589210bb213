#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "agpusim/algorithms/own_program.hpp"
#include "agpusim/algorithms/vector_add/kernel.hpp"

namespace agpusim::vector_add {

/// One of the two summands of a run.
template <class T>
std::vector<T> operand(const RunConfig& config, std::uint64_t number) {
  return generate<T>(config.input, config.n, config.seed + number);
}

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return own_program<Device, std::uint32_t, std::uint64_t>(
      device, config, [&]<class T>(OwnRun<Device, T>& run) {
        const Add kernel{config.n,
                         static_cast<std::int32_t>(run.parameter("rows") * config.spec.width)};
        const auto a = run.upload(config.n, "a", [&] { return operand<T>(config, 0); });
        const auto b = run.upload(config.n, "b", [&] { return operand<T>(config, 1); });
        const auto c = run.array(config.n, "c");
        run.launch(run.tasks_of(kernel.per_task), kernel, a, b, c);
        run.result(c);
      });
}

}  // namespace agpusim::vector_add
