#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "agpusim/algorithms/out_of_core/cuda_streams.cuh"
#include "agpusim/algorithms/out_of_core/functors.hpp"
#include "agpusim/cuda/streams/pinned_memory.cuh"
#include "agpusim/model/error.hpp"
#include "agpusim/validation/experiments/out_of_core/cuda_runs.cuh"
#include "agpusim/validation/experiments/out_of_core/device_runs.hpp"
#include "agpusim/validation/pipeline/programs.hpp"

namespace agpusim::out_of_core {
namespace {

using Program = std::function<void(CudaStreams&, const Arrays&, const Chunks&, const Settings&)>;

const Program& find_program(const Run& run) {
  static const auto table = [] {
    std::map<std::pair<std::string, std::string>, Program> all;
    programs::for_each_program([&](const char* task, const char* scheme, const auto& program) {
      all.emplace(std::pair(task, scheme), program);
    });
    return all;
  }();
  const auto it = table.find({run.task, run.scheme});
  if (it == table.end()) {
    throw UsageError(
        fmt::format("task '{}' has no scheme '{}' on the device", run.task, run.scheme));
  }
  return it->second;
}

/// Time in which the device clears `bytes` of memory that was freed, with a margin: it does so
/// beside the copies of whatever runs next, which have half of their speed meanwhile, 40 ms after 8
/// GiB (bench/copies_after.cu).
std::chrono::duration<double> clearing_time(std::int64_t bytes) {
  constexpr double bytes_per_second = 150e9;
  return std::chrono::duration<double>(static_cast<double>(bytes) / bytes_per_second);
}

class CudaRuns : public DeviceRuns {
 public:
  explicit CudaRuns(std::int64_t host_bytes) : memory_(host_bytes, "host arrays") {}

  std::span<std::byte> host_memory() override {
    return {static_cast<std::byte*>(memory_.data()), static_cast<std::size_t>(memory_.bytes())};
  }

  DeviceRun run(const Run& run, const HostArrays& arrays, bool timeline,
                const Control& control) override {
    const Program& program = find_program(run);
    DeviceRun result;
    Settings settings;
    settings.budget_bytes = run.budget;
    settings.compact_rate = 1;  // the host's step takes what it takes
    settings.control = control;
    std::int64_t used = 0;
    {
      CudaStreams streams(device_spec(), run.budget, timeline);
      program(streams, arrays_of(arrays), {run.n, run.chunk, run.streams}, settings);
      const std::chrono::duration<double> spent =
          std::chrono::steady_clock::now() - streams.first_operation();
      result.seconds = spent.count();
      used = streams.budget().used();
      if (timeline) result.timeline = {streams.pipeline().operations(), streams.intervals()};
    }
    std::this_thread::sleep_for(clearing_time(used));
    return result;
  }

 private:
  PinnedMemory memory_;
};

}  // namespace

std::unique_ptr<DeviceRuns> cuda_runs(std::int64_t host_bytes) {
  return std::make_unique<CudaRuns>(host_bytes);
}

}  // namespace agpusim::out_of_core
