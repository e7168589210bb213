#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

#include "agpusim/algorithms/out_of_core/cub_steps.cuh"
#include "agpusim/algorithms/out_of_core/scatter_window.cuh"
#include "agpusim/cuda/device.cuh"
#include "agpusim/cuda/own_stream.cuh"
#include "agpusim/cuda/streams/operation_log.cuh"
#include "agpusim/cuda/streams/pinned_memory.cuh"
#include "agpusim/cuda/streams/staging.cuh"
#include "agpusim/model/transfer/device_budget.hpp"
#include "agpusim/model/transfer/host_piece.hpp"
#include "agpusim/model/transfer/recorder.hpp"
#include "agpusim/model/transfer/schedule.hpp"

namespace agpusim::out_of_core {

namespace detail {

template <class T>
__global__ void set_first(T* array, T value) {
  *array = value;
}

}  // namespace detail

/// Streams on the first device. Each engine (copies in, kernels, copies out) has a CUDA stream of
/// its own and takes operations in the order in which they were asked for; events keep the order of
/// each of the program's streams. (A copy and a kernel that wait for it in one CUDA stream would
/// cost the link tens of us: bench/copies_and_kernels.cu.) Copies to and from pinned memory run
/// beside kernels; pageable memory passes through pinned pieces, for which the host waits. A failed
/// call throws CudaError. Host memory that a program uses lives until finish() or the end of the
/// streams, which wait for all copies, also when the program ended with an exception.
class CudaStreams {
 public:
  template <class T>
  using Array = CudaArray<T>;

  /// `timeline`: keep when every operation ran; costs one more event of each. Throws UsageError
  /// when the device has less memory free than `budget_bytes`, and as CudaDevice does.
  CudaStreams(const AgpuSpec& spec, std::int64_t budget_bytes, bool timeline = false);
  ~CudaStreams();
  CudaStreams(const CudaStreams&) = delete;
  CudaStreams& operator=(const CudaStreams&) = delete;

  static constexpr bool has_data = true;
  [[nodiscard]] Recorder& recorder() { return recorder_; }
  /// What ran. Kernels have no seconds of their own there: see intervals().
  [[nodiscard]] const transfer::Pipeline& pipeline() const { return recorder_.pipeline(); }
  [[nodiscard]] const AgpuSpec& spec() const { return device_.spec(); }
  [[nodiscard]] const DeviceBudget& budget() const { return budget_; }
  /// When each operation of the pipeline ran, in seconds from the start of the first. Call it after
  /// finish(), of streams with a timeline.
  [[nodiscard]] std::vector<transfer::Interval> intervals() const {
    return log_.intervals(pipeline());
  }

  /// When the first copy, kernel or host step was asked for, or else the end: the arrays that a
  /// program allocates before are there.
  [[nodiscard]] std::chrono::steady_clock::time_point first_operation() const { return first_; }

  /// An array of undefined content.
  template <class T>
  [[nodiscard]] CudaArray<T> allocate(std::int64_t size, const std::string& name) {
    const std::int64_t bytes = size * std::int64_t{sizeof(T)};
    budget_.take(bytes, name);
    buffers_.push_back(std::make_shared<DeviceBuffer>(static_cast<std::size_t>(bytes), name));
    return {buffers_.back(), size};
  }
  /// Pinned, all bytes 0.
  template <class T>
  [[nodiscard]] HostPiece<T> scratch(std::int64_t size) {
    scratch_.push_back(std::make_unique<PinnedMemory>(size * std::int64_t{sizeof(T)}, "scratch"));
    return {static_cast<T*>(scratch_.back()->data()), size};
  }
  template <class T>
  Event copy_in(std::int32_t stream, HostPiece<const T> from, const CudaArray<T>& to,
                std::int64_t at = 0) {
    check_inside(at, from.size(), to.size(), to.name());
    return copy_in_bytes(stream, to.data() + at, from.data(), from.bytes(), to.name());
  }
  template <class T>
  Event copy_out(std::int32_t stream, const CudaArray<T>& from, HostPiece<T> to,
                 std::int64_t at = 0) {
    check_inside(at, to.size(), from.size(), from.name());
    return copy_out_bytes(stream, to.data(), from.data() + at, to.bytes(), from.name());
  }
  /// The first element becomes `value` before the stream's next step; copies do not wait for it.
  template <class T>
  void set(std::int32_t stream, const CudaArray<T>& array, T value) {
    const cudaStream_t kernels = ready(stream, transfer::Engine::compute);
    detail::set_first<<<1, 1, 0, kernels>>>(array.data(), value);
    AGPUSIM_CUDA_CHECK(cudaGetLastError());
  }
  template <class Step, class... Arrays>
  Event run(std::int32_t stream, const Step& step, const Arrays&... arrays) {
    const cudaStream_t kernels = begin(stream, transfer::Engine::compute);
    enqueue(kernels, step, arrays...);
    return added(recorder_.kernel(stream, Step::name, 0), stream, transfer::Engine::compute);
  }
  void wait(std::int32_t stream, Event event);
  /// Copies to pageable memory have arrived, too, when `step` begins.
  template <class F>
  void host(const std::string& name, std::int64_t bytes, double seconds,
            std::span<const Event> after, F step) {
    start_clock();
    for (const Event event : after) log_.synchronize(event);
    staging_.drain();
    const auto begin = std::chrono::steady_clock::now();
    step();
    log_.host_step(recorder_.host(name, bytes, seconds, after), begin);
  }
  /// Returns when all is done and all copies have arrived.
  void finish();

 private:
  /// What a stream of the program has asked for.
  struct Order {
    transfer::Engine engine = transfer::Engine::host;  ///< engine of its last operation; host: none
    Event last = -1;
    std::vector<Event> waits;  ///< for which its next operation waits besides
  };

  [[nodiscard]] cudaStream_t cuda(transfer::Engine engine) const {
    return streams_[static_cast<std::size_t>(engine)].get();
  }
  void start_clock() {
    if (first_ == decltype(first_){}) first_ = std::chrono::steady_clock::now();
  }
  [[nodiscard]] Order& order(std::int32_t stream);
  /// The engine's CUDA stream, where what comes next is behind all that `stream` waits for.
  [[nodiscard]] cudaStream_t ready(std::int32_t stream, transfer::Engine engine);
  /// ready() for an operation of the pipeline; added() follows.
  [[nodiscard]] cudaStream_t begin(std::int32_t stream, transfer::Engine engine);
  /// Notes an operation that was enqueued; returns it.
  Event added(Event event, std::int32_t stream, transfer::Engine engine);
  Event copy_in_bytes(std::int32_t stream, void* to, const void* from, std::int64_t bytes,
                      const std::string& name);
  Event copy_out_bytes(std::int32_t stream, void* to, const void* from, std::int64_t bytes,
                       const std::string& name);
  static void check_inside(std::int64_t first, std::int64_t count, std::int64_t size,
                           const std::string& array);
  /// Whether copies of this host memory are direct; the recorder notes it, the staging is ready.
  [[nodiscard]] bool note_pinned(const void* data, std::int64_t bytes);
  /// At least `bytes`, from the budget, for one kernel after the other.
  [[nodiscard]] TemporaryMemory temporary(std::size_t bytes);

  template <class Step, class... Arrays>
  void enqueue(cudaStream_t kernels, const Step& step, const Arrays&... arrays) {
    const StreamScope scope(kernels);
    step.launch(device_, arrays...);
  }
  template <class T, class Index>
  void enqueue(cudaStream_t kernels, const ScatterStep<T>& step, const CudaArray<Index>& index,
               const CudaArray<T>& in, const CudaArray<T>& window,
               const CudaArray<std::int32_t>& bad) {
    enqueue_scatter(step, index.data(), in.data(), window.data(), bad.data(), kernels);
  }
  template <class T>
  void enqueue(cudaStream_t kernels, const SortStep<T>& step, const CudaArray<T>& in,
               const CudaArray<T>& out) {
    if (step.n == 0) return;
    TemporaryMemory memory;
    cub_sort(memory, in.data(), out.data(), in.size(), kernels);
    memory = temporary(memory.bytes);
    cub_sort(memory, in.data(), out.data(), step.n, kernels);
  }
  template <class T>
  void enqueue(cudaStream_t kernels, const SegmentedSortStep<T>& step, const CudaArray<T>& in,
               const CudaArray<std::uint32_t>& heads, const CudaArray<T>& out) {
    TemporaryMemory memory;
    cub_segmented_sort(memory, in.data(), heads.data(), out.data(), in.size(), kernels);
    memory = temporary(memory.bytes);
    cub_segmented_sort(memory, in.data(), heads.data(), out.data(), step.n, kernels);
  }
  template <class T>
  void enqueue(cudaStream_t kernels, const PartitionStep<T>& step,
               const CudaArray<std::int64_t>& places, const CudaArray<T>& values,
               const CudaArray<std::int64_t>& places_out, const CudaArray<T>& values_out,
               const CudaArray<std::int64_t>& counts) {
    const PartitionPairs<T> in{places.data(), values.data()};
    const PartitionPairs<T> out{places_out.data(), values_out.data()};
    PartitionStep<T> largest = step;
    largest.n = places.size();
    TemporaryMemory memory;
    cub_partition(memory, largest, in, out, counts.data(), kernels);
    memory = temporary(memory.bytes);
    cub_partition(memory, step, in, out, counts.data(), kernels);
  }

  std::chrono::steady_clock::time_point first_{};
  CudaDevice device_;
  DeviceBudget budget_;
  Recorder recorder_;
  OperationLog log_;
  Staging staging_;
  std::array<OwnStream, transfer::engines.size()> streams_;  // by engine; the host's is idle
  std::vector<Order> orders_;                                // by stream of the program
  // A program that ends with an exception drops its arrays while the device may still use them.
  std::vector<std::shared_ptr<DeviceBuffer>> buffers_;
  std::vector<std::unique_ptr<PinnedMemory>> scratch_;
  std::unique_ptr<DeviceBuffer> temporary_;
};

}  // namespace agpusim::out_of_core
