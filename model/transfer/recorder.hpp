#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "agpusim/model/run/run.hpp"
#include "agpusim/model/transfer/pipeline.hpp"

namespace agpusim::out_of_core {

/// An operation that others can wait for.
using Event = transfer::OperationId;

/// What a step costs on the abstract machine.
struct KernelWork {
  std::string step;
  std::int64_t elements = 0;
  std::vector<PhaseReport> phases;
};

/// Seconds of a step, from its counts.
using KernelClock = std::function<double(const KernelWork&)>;

/// Notes what a program asks of its streams as a pipeline. What the host waits for or does itself
/// holds up everything that is asked for later.
class Recorder {
 public:
  /// Sets the memory of the copies from now on.
  void host_memory(transfer::HostMemory memory) { memory_ = memory; }
  /// Sets the chunk of the operations from now on.
  void chunk(std::int64_t chunk) { chunk_ = chunk; }

  Event copy_in(std::int32_t stream, const std::string& name, std::int64_t bytes);
  Event copy_out(std::int32_t stream, const std::string& name, std::int64_t bytes);
  Event kernel(std::int32_t stream, const std::string& name, double seconds);
  /// A step of the host that starts when `after` are done, moving `bytes` in host memory.
  Event host(const std::string& name, std::int64_t bytes, double seconds,
             std::span<const Event> after);
  /// The next operation of the stream waits for `event`.
  void wait(std::int32_t stream, Event event);

  [[nodiscard]] const transfer::Pipeline& pipeline() const { return pipeline_; }

 private:
  static constexpr std::int32_t host_stream = 0;
  Event add(transfer::Operation operation);

  transfer::Pipeline pipeline_;
  std::vector<std::vector<Event>> waits_;  // events that each stream's next operation waits for
  Event host_done_ = -1;
  std::int64_t chunk_ = -1;
  transfer::HostMemory memory_ = transfer::HostMemory::pinned;
};

}  // namespace agpusim::out_of_core
