#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <cuda_runtime_api.h>

#include "agpusim/cuda/streams/pinned_memory.cuh"

namespace agpusim::out_of_core {

/// Whether copies use all of this host memory directly; others have to stage it.
[[nodiscard]] bool is_pinned(const void* data, std::int64_t bytes);

/// to[0..bytes-1] = from[0..bytes-1] in host memory, by all cores.
void copy_on_host(void* to, const void* from, std::int64_t bytes);

/// Copies between device and pageable host memory by way of a ring of pinned pieces per direction,
/// which all cores of the host fill and empty.
class Staging {
 public:
  /// At most; less where all copies are smaller.
  static constexpr std::int64_t piece_bytes = std::int64_t{1} << 24;

  Staging() = default;
  /// The device is done with all copies; what drain() did not do is given up.
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  /// Pins all pieces that are not there yet, for copies of up to `bytes` bytes: these need not
  /// wait.
  void reserve(std::int64_t bytes);
  /// Returns when `from` is read, having waited for free pieces and for copies to `from`.
  void copy_in(void* to, const void* from, std::int64_t bytes, cudaStream_t stream);
  /// May return before the bytes are in host memory: see drain().
  void copy_out(void* to, const void* from, std::int64_t bytes, cudaStream_t stream);
  /// Waits for all copies out.
  void drain();

 private:
  struct Piece {
    std::unique_ptr<PinnedMemory> memory;
    cudaEvent_t copied = nullptr;
    std::byte* target = nullptr;  // where a copy out has still to be copied
    std::int64_t bytes = 0;
  };
  struct Ring {
    std::array<Piece, 4> pieces;
    std::size_t next = 0;  // the oldest
  };

  static void reserve(Piece& piece, std::int64_t bytes);
  [[nodiscard]] static Piece& free_piece(Ring& ring, std::int64_t bytes);
  static void empty(Piece& piece);
  void drain_into(const std::byte* first, std::int64_t bytes);

  Ring in_;
  Ring out_;
};

}  // namespace agpusim::out_of_core
