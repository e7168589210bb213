#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "agpusim/cuda/out_of_core/cuda_streams.cuh"

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
  for (const cudaStream_t stream : streams_) {
    if (stream == nullptr) continue;
    static_cast<void>(cudaStreamSynchronize(stream));
    static_cast<void>(cudaStreamDestroy(stream));
  }
}

void CudaStreams::wait(std::int32_t stream, Event event) {
  log_.wait(cuda(stream), event);
  recorder_.wait(stream, event);
}

void CudaStreams::finish() {
  staging_.drain();
  for (const cudaStream_t stream : streams_) {
    if (stream != nullptr) AGPUSIM_CUDA_CHECK(cudaStreamSynchronize(stream));
  }
  log_.retire_all();
}

cudaStream_t CudaStreams::cuda(std::int32_t stream) {
  if (first_ == decltype(first_){}) first_ = std::chrono::steady_clock::now();
  const auto at = static_cast<std::size_t>(stream);
  if (at >= streams_.size()) streams_.resize(at + 1);
  if (streams_[at] == nullptr) {
    AGPUSIM_CUDA_CHECK(cudaStreamCreateWithFlags(&streams_[at], cudaStreamNonBlocking));
  }
  return streams_[at];
}

Event CudaStreams::copy_in_bytes(std::int32_t stream, void* to, const void* from,
                                 std::int64_t bytes, const std::string& name) {
  const bool pinned = note_pinned(from, bytes);
  log_.begin(cuda(stream));
  if (pinned) {
    AGPUSIM_CUDA_CHECK(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes),
                                       cudaMemcpyHostToDevice, cuda(stream)));
  } else {
    staging_.copy_in(to, from, bytes, cuda(stream));
  }
  const Event event = recorder_.copy_in(stream, name, bytes);
  log_.end(event, cuda(stream));
  return event;
}

Event CudaStreams::copy_out_bytes(std::int32_t stream, void* to, const void* from,
                                  std::int64_t bytes, const std::string& name) {
  const bool pinned = note_pinned(to, bytes);
  log_.begin(cuda(stream));
  if (pinned) {
    AGPUSIM_CUDA_CHECK(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes),
                                       cudaMemcpyDeviceToHost, cuda(stream)));
  } else {
    staging_.copy_out(to, from, bytes, cuda(stream));
  }
  const Event event = recorder_.copy_out(stream, name, bytes);
  log_.end(event, cuda(stream));
  return event;
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
  recorder_.host_memory(pinned ? transfer::HostMemory::pinned : transfer::HostMemory::pageable);
  return pinned;
}

TemporaryMemory CudaStreams::temporary(std::int32_t stream, std::size_t bytes) {
  const auto at = static_cast<std::size_t>(stream);
  if (at >= temporary_.size()) temporary_.resize(at + 1);
  std::unique_ptr<DeviceBuffer>& buffer = temporary_[at];
  const std::size_t size = std::max<std::size_t>(bytes, 1);
  const std::size_t before = buffer == nullptr ? 0 : buffer->bytes();
  if (before < size) {
    budget_.take(static_cast<std::int64_t>(size - before), "temporary of CUB");
    if (buffer != nullptr) AGPUSIM_CUDA_CHECK(cudaStreamSynchronize(cuda(stream)));
    buffer = nullptr;
    buffer = std::make_unique<DeviceBuffer>(size, "temporary of CUB");
  }
  return {buffer->data(), buffer->bytes()};
}

}  // namespace agpusim::out_of_core
