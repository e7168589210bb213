#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "agpusim/algorithms/out_of_core/cuda_streams.cuh"
#include "agpusim/commands/pipeline/task_table.hpp"
#include "agpusim/cuda/streams/pinned_memory.cuh"
#include "agpusim/papers/out_of_core/measured_task.hpp"

namespace agpusim::out_of_core {
namespace {

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
    static const std::vector<Task> table = task_table<CudaStreams>();
    const auto& program = find_scheme(find_task(run.task, table), run.scheme).on<CudaStreams>();
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

void add_cuda_runs(CudaSupport& support) {
  support.out_of_core = [](std::int64_t host_bytes) {
    return std::make_unique<CudaRuns>(host_bytes);
  };
}

}  // namespace agpusim::out_of_core
