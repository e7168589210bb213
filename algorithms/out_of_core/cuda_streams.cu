#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "agpusim/algorithms/out_of_core/cuda_streams.cuh"

namespace agpusim::out_of_core {
namespace {

std::int64_t affordable(std::int64_t budget_bytes) {
  std::size_t free = 0;
  std::size_t total = 0;
  AGPUSIM_CUDA_CHECK(cudaMemGetInfo(&free, &total));
  if (budget_bytes > static_cast<std::int64_t>(free)) {
    throw UsageError(
        fmt::format("a budget of {} bytes of device memory is more than the {} bytes that are free "
                    "(of {}); use a smaller budget, or end the other programs on the device",
                    budget_bytes, free, total));
  }
  return budget_bytes;
}

}  // namespace

CudaStreams::CudaStreams(const AgpuSpec& spec, std::int64_t budget_bytes, bool timeline)
    : device_(spec), budget_(affordable(budget_bytes)), log_(timeline) {}

CudaStreams::~CudaStreams() {
  for (const OwnStream& stream : streams_) {
    static_cast<void>(cudaStreamSynchronize(stream.get()));
  }
}

void CudaStreams::wait(std::int32_t stream, Event event) {
  order(stream).waits.push_back(event);
  recorder_.wait(stream, event);
}

void CudaStreams::finish() {
  start_clock();
  staging_.drain();
  for (const OwnStream& stream : streams_) {
    AGPUSIM_CUDA_CHECK(cudaStreamSynchronize(stream.get()));
  }
  log_.retire_all();
}

CudaStreams::Order& CudaStreams::order(std::int32_t stream) {
  const auto at = static_cast<std::size_t>(stream);
  if (at >= orders_.size()) orders_.resize(at + 1);
  return orders_[at];
}

cudaStream_t CudaStreams::ready(std::int32_t stream, transfer::Engine engine) {
  const Order& before = order(stream);
  if (before.last >= 0 && before.engine != engine) log_.wait(cuda(engine), before.last);
  for (const Event event : before.waits) log_.wait(cuda(engine), event);
  return cuda(engine);
}

cudaStream_t CudaStreams::begin(std::int32_t stream, transfer::Engine engine) {
  start_clock();
  const cudaStream_t of_engine = ready(stream, engine);
  log_.begin(of_engine);
  return of_engine;
}

Event CudaStreams::added(Event event, std::int32_t stream, transfer::Engine engine) {
  log_.end(event, cuda(engine));
  order(stream) = {engine, event, {}};
  return event;
}

Event CudaStreams::copy_in_bytes(std::int32_t stream, void* to, const void* from,
                                 std::int64_t bytes, const std::string& name) {
  const bool pinned = note_pinned(from, bytes);
  const cudaStream_t copies = begin(stream, transfer::Engine::copy_in);
  if (pinned) {
    AGPUSIM_CUDA_CHECK(
        cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyHostToDevice, copies));
  } else {
    staging_.copy_in(to, from, bytes, copies);
  }
  return added(recorder_.copy_in(stream, name, bytes), stream, transfer::Engine::copy_in);
}

Event CudaStreams::copy_out_bytes(std::int32_t stream, void* to, const void* from,
                                  std::int64_t bytes, const std::string& name) {
  const bool pinned = note_pinned(to, bytes);
  const cudaStream_t copies = begin(stream, transfer::Engine::copy_out);
  if (pinned) {
    AGPUSIM_CUDA_CHECK(
        cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToHost, copies));
  } else {
    staging_.copy_out(to, from, bytes, copies);
  }
  return added(recorder_.copy_out(stream, name, bytes), stream, transfer::Engine::copy_out);
}

void CudaStreams::check_inside(std::int64_t first, std::int64_t count, std::int64_t size,
                               const std::string& array) {
  if (first < 0 || count < 0 || first > size - count) {
    throw std::out_of_range(fmt::format("copy of {} elements from {} on: array '{}' has {}", count,
                                        first, array, size));
  }
}

bool CudaStreams::note_pinned(const void* data, std::int64_t bytes) {
  const bool pinned = is_pinned(data, bytes);
  if (!pinned) staging_.reserve(bytes);
  recorder_.host_memory(pinned ? transfer::HostMemory::pinned : transfer::HostMemory::pageable);
  return pinned;
}

TemporaryMemory CudaStreams::temporary(std::size_t bytes) {
  const std::size_t size = std::max<std::size_t>(bytes, 1);
  const std::size_t before = temporary_ == nullptr ? 0 : temporary_->bytes();
  if (before < size) {
    budget_.take(static_cast<std::int64_t>(size - before), "temporary of CUB");
    AGPUSIM_CUDA_CHECK(cudaStreamSynchronize(cuda(transfer::Engine::compute)));
    temporary_ = nullptr;
    temporary_ = std::make_unique<DeviceBuffer>(size, "temporary of CUB");
  }
  return {temporary_->data(), temporary_->bytes()};
}

}  // namespace agpusim::out_of_core
