#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include <cuda_runtime_api.h>

#include "agpusim/model/transfer/recorder.hpp"
#include "agpusim/model/transfer/schedule.hpp"

namespace agpusim::out_of_core {

/// The CUDA events of a pipeline's operations: what others wait for and, with a timeline, when each
/// ran. Events of operations that are done are used again.
class OperationLog {
 public:
  explicit OperationLog(bool timeline);
  /// Whoever owns the streams has waited for them.
  ~OperationLog();
  OperationLog(const OperationLog&) = delete;
  OperationLog& operator=(const OperationLog&) = delete;

  /// Before what an operation enqueues.
  void begin(cudaStream_t stream);
  /// After it; `id` is the number of the operation, one more than the last.
  void end(Event id, cudaStream_t stream);
  /// A step of the host that ran from `begin` until now.
  void host_step(Event id, std::chrono::steady_clock::time_point begin);

  /// What is enqueued later waits for an operation.
  void wait(cudaStream_t stream, Event id) const;
  /// The host waits for it.
  void synchronize(Event id) const;
  /// Once the device is done with everything.
  void retire_all();

  /// When each operation ran, in seconds from the start of the first; resolution about 1 us. An
  /// engine has one operation at a time: where one waited for its engine, it begins as the one
  /// before it ends. Call it after retire_all(), of a log with timeline.
  [[nodiscard]] std::vector<transfer::Interval> intervals(const transfer::Pipeline& pipeline) const;

 private:
  struct Entry {
    cudaEvent_t begin = nullptr;
    cudaEvent_t end = nullptr;  // null: done
  };

  [[nodiscard]] cudaEvent_t take();
  [[nodiscard]] cudaEvent_t record(cudaStream_t stream);
  [[nodiscard]] Entry& entry(Event id);
  void retire_done();
  void retire(Event id);

  bool timeline_;
  std::vector<cudaEvent_t> all_;
  std::vector<cudaEvent_t> free_;
  std::vector<Entry> entries_;                 // events of each operation
  std::vector<transfer::Interval> intervals_;  // when each operation ran that is done
  std::deque<Event> live_;                     // not known to be done, oldest first
  cudaEvent_t begin_ = nullptr;                // begin of the operation under construction
  // Elapsed times are of 24 bits, hence measured from an event not long before.
  cudaEvent_t reference_ = nullptr;
  double reference_seconds_ = 0;
  std::chrono::steady_clock::time_point host_origin_;
};

}  // namespace agpusim::out_of_core
