#pragma once

#include <cstddef>
#include <cstdint>

#include "agpusim/cuda/view.cuh"

namespace agpusim {

inline constexpr std::int32_t cuda_warp_lanes = 32;

/// Bytes to which every array in shared memory is aligned.
inline constexpr std::int32_t cuda_shared_alignment = 8;

/// The multiprocessor of the abstract machine on CUDA: gives a kernel's vocabulary its meaning as
/// plain device code. A lane is a thread and a varying value a scalar. With `one_warp` the task is
/// a warp, of which a CTA holds several; without, the task is the whole CTA.
template <bool one_warp>
class CudaMp {
 public:
  template <class T>
  using Lane = T;

  /// `shared` is the task's slice of dynamic shared memory.
  __device__ CudaMp(std::int64_t task, std::byte* shared) : task_(task), shared_(shared) {}

  /// The number of the lane, 0..V-1.
  [[nodiscard]] __device__ std::int32_t lane() const {
    return static_cast<std::int32_t>(one_warp ? threadIdx.x % cuda_warp_lanes : threadIdx.x);
  }
  /// V, the lanes of a task.
  [[nodiscard]] __device__ std::int32_t width() const {
    return one_warp ? cuda_warp_lanes : static_cast<std::int32_t>(blockDim.x);
  }
  /// The lanes of a warp.
  [[nodiscard]] __device__ std::int32_t warp_width() const { return cuda_warp_lanes; }
  /// The number of the task in its phase.
  [[nodiscard]] __device__ std::int64_t task() const { return task_; }

  /// Lanes whose elements of type T one pass over the banks serves, and elements of T in a block of
  /// global memory.
  template <class T>
  [[nodiscard]] __device__ std::int32_t lanes_per_pass() const {
    constexpr std::int32_t word_bytes = 4;
    return cuda_warp_lanes * word_bytes / static_cast<std::int32_t>(sizeof(T));
  }

  /// Turns of a loop that cost the same: the abstract machine leaves some out when it derives
  /// counts.
  struct Turns {
    template <class Index>
    [[nodiscard]] __device__ Index next(Index start, std::int64_t, std::int64_t) const {
      return start;
    }
  };
  [[nodiscard]] __device__ Turns turns() const { return {}; }

  /// One value in every lane.
  template <class T>
  [[nodiscard]] __device__ T varying(T value) const {
    return value;
  }
  /// The value all active lanes agree on; the abstract machine checks that they do.
  template <class T>
  [[nodiscard]] __device__ T uniform(T value) const {
    return value;
  }

  /// Runs `then` for the lanes where `condition` holds.
  template <class Then>
  __device__ void when(bool condition, Then then) const {
    if (condition) then();
  }
  /// Runs `then` for the lanes where `condition` holds and `otherwise` for the others.
  template <class Then, class Otherwise>
  __device__ void when(bool condition, Then then, Otherwise otherwise) const {
    if (condition) {
      then();
    } else {
      otherwise();
    }
  }
  /// Repeats `body` for the lanes where `condition()` still holds until none is left.
  template <class Condition, class Body>
  __device__ void while_any(Condition condition, Body body) const {
    while (condition()) body();
  }

  /// Bit i: whether `condition` holds in lane i of the warp.
  [[nodiscard]] __device__ std::uint32_t vote(bool condition) const {
    return __ballot_sync(all_lanes, condition);
  }
  /// `value` of lane `source` of the warp.
  template <class T>
  [[nodiscard]] __device__ T shuffle(T value, std::int32_t source) const {
    static_assert(sizeof(T) >= 4, "shuffle takes lanes of 32 or 64 bits: cast first");
    return __shfl_sync(all_lanes, value, source);
  }

  /// Orders memory accesses between the lanes of the task.
  __device__ void sync() const {
    if constexpr (one_warp) {
      __syncwarp();
    } else {
      __syncthreads();
    }
  }

  /// Reserves `size` elements of the task's shared memory; the name serves the abstract machine.
  /// The sum over a task stays within the kernel's shared_bytes().
  template <class T>
  [[nodiscard]] __device__ CudaSharedView<T> shared(std::int32_t size, const char* = "shared") {
    constexpr std::int32_t mask = cuda_shared_alignment - 1;
    auto* const data = reinterpret_cast<T*>(shared_);
    shared_ += (size * static_cast<std::int32_t>(sizeof(T)) + mask) & ~mask;
    return {data, size};
  }

 private:
  static constexpr unsigned all_lanes = 0xffffffffU;

  std::int64_t task_;
  std::byte* shared_;  // first free byte of the slice
};

}  // namespace agpusim
