#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "agpusim/cuda/error.cuh"
#include "agpusim/cuda/stream.cuh"
#include "agpusim/cuda/streams/operation_log.cuh"

namespace agpusim::out_of_core {
namespace {

using Clock = std::chrono::steady_clock;

// Operations under way before the log looks for some that are done.
constexpr std::size_t most_live = 512;
constexpr double longest_elapsed = 1;  // second

double seconds(Clock::duration duration) { return std::chrono::duration<double>(duration).count(); }

double elapsed_seconds(cudaEvent_t from, cudaEvent_t to) {
  float milliseconds = 0;
  AGPUSIM_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, from, to));
  return 1e-3 * static_cast<double>(milliseconds);
}

/// Whether the operations of an engine wait for each other on the device.
bool is_device(transfer::Engine engine) { return engine != transfer::Engine::host; }

}  // namespace

OperationLog::OperationLog(bool timeline) : timeline_(timeline) {
  require_cuda_device();
  if (!timeline_) return;
  reference_ = record(cuda_stream());
  AGPUSIM_CUDA_CHECK(cudaEventSynchronize(reference_));
  host_origin_ = Clock::now();
}

OperationLog::~OperationLog() {
  for (const cudaEvent_t event : all_) static_cast<void>(cudaEventDestroy(event));
}

void OperationLog::begin(cudaStream_t stream) {
  if (timeline_) begin_ = record(stream);
}

void OperationLog::end(Event id, cudaStream_t stream) {
  Entry& operation = entry(id);
  operation.begin = std::exchange(begin_, nullptr);
  operation.end = record(stream);
  live_.push_back(id);
  retire_done();
}

void OperationLog::host_step(Event id, Clock::time_point begin) {
  static_cast<void>(entry(id));
  intervals_[static_cast<std::size_t>(id)] = {seconds(begin - host_origin_),
                                              seconds(Clock::now() - host_origin_)};
}

void OperationLog::wait(cudaStream_t stream, Event id) const {
  const cudaEvent_t event = entries_.at(static_cast<std::size_t>(id)).end;
  if (event != nullptr) AGPUSIM_CUDA_CHECK(cudaStreamWaitEvent(stream, event, 0));
}

void OperationLog::synchronize(Event id) const {
  const cudaEvent_t event = entries_.at(static_cast<std::size_t>(id)).end;
  if (event != nullptr) AGPUSIM_CUDA_CHECK(cudaEventSynchronize(event));
}

void OperationLog::retire_all() {
  for (; !live_.empty(); live_.pop_front()) retire(live_.front());
}

std::vector<transfer::Interval> OperationLog::intervals(const transfer::Pipeline& pipeline) const {
  if (!timeline_ || !live_.empty()) {
    throw std::logic_error("intervals: of finished operations, with a timeline");
  }
  std::vector<transfer::Interval> result = intervals_;
  std::vector<std::size_t> by_end(result.size());
  for (std::size_t i = 0; i < by_end.size(); ++i) by_end[i] = i;
  std::stable_sort(by_end.begin(), by_end.end(),
                   [&](std::size_t a, std::size_t b) { return result[a].end < result[b].end; });
  std::array<double, transfer::engines.size()> engine_end{};
  for (const std::size_t i : by_end) {
    const transfer::Engine engine = pipeline.operations()[i].engine;
    if (!is_device(engine)) continue;
    double& end = engine_end[static_cast<std::size_t>(engine)];
    result[i].begin = std::max(result[i].begin, end);
    end = std::max(end, result[i].end);
  }
  double origin = result.empty() ? 0 : result.front().begin;
  for (const transfer::Interval& each : result) origin = std::min(origin, each.begin);
  for (transfer::Interval& each : result) each = {each.begin - origin, each.end - origin};
  return result;
}

cudaEvent_t OperationLog::take() {
  if (free_.empty()) {
    cudaEvent_t event = nullptr;
    const unsigned flags = timeline_ ? cudaEventDefault : cudaEventDisableTiming;
    AGPUSIM_CUDA_CHECK(cudaEventCreateWithFlags(&event, flags));
    all_.push_back(event);
    return event;
  }
  const cudaEvent_t event = free_.back();
  free_.pop_back();
  return event;
}

cudaEvent_t OperationLog::record(cudaStream_t stream) {
  const cudaEvent_t event = take();
  AGPUSIM_CUDA_CHECK(cudaEventRecord(event, stream));
  return event;
}

OperationLog::Entry& OperationLog::entry(Event id) {
  const std::size_t size = static_cast<std::size_t>(id) + 1;
  if (entries_.size() < size) {
    entries_.resize(size);
    intervals_.resize(size);
  }
  return entries_.back();
}

void OperationLog::retire_done() {
  while (live_.size() > most_live) {
    const cudaError_t code = cudaEventQuery(entries_[static_cast<std::size_t>(live_.front())].end);
    if (code == cudaErrorNotReady) {
      static_cast<void>(cudaGetLastError());  // else the next launch would be blamed
      return;
    }
    AGPUSIM_CUDA_CHECK(code);
    retire(live_.front());
    live_.pop_front();
  }
}

void OperationLog::retire(Event id) {
  const Entry done = std::exchange(entries_[static_cast<std::size_t>(id)], Entry{});
  if (!timeline_) {
    free_.push_back(done.end);
    return;
  }
  const double begin = reference_seconds_ + elapsed_seconds(reference_, done.begin);
  const double elapsed = elapsed_seconds(reference_, done.end);
  const double end = reference_seconds_ + elapsed;
  intervals_[static_cast<std::size_t>(id)] = {begin, end};
  free_.push_back(done.begin);
  if (elapsed <= longest_elapsed) {
    free_.push_back(done.end);
    return;
  }
  free_.push_back(std::exchange(reference_, done.end));
  reference_seconds_ = end;
}

}  // namespace agpusim::out_of_core
