#pragma once

#include <cstdint>

namespace agpusim {

/// Accesses of one kind (read, write or atomic) to global memory. "Warp" is one group of b lanes.
struct GlobalCounts {
  std::int64_t requests = 0;  ///< warp instructions with at least one active lane
  std::int64_t blocks = 0;  ///< distinct aligned blocks of b words per request: the I/O Q (R7, R10)
  std::int64_t sectors = 0;  ///< distinct aligned 32-byte sectors per request

  friend bool operator==(const GlobalCounts&, const GlobalCounts&) = default;
  GlobalCounts& operator+=(const GlobalCounts& o) {
    requests += o.requests;
    blocks += o.blocks;
    sectors += o.sectors;
    return *this;
  }
};

/// Accesses of one kind to shared memory.
struct SharedCounts {
  std::int64_t requests = 0;    ///< warp instructions with at least one active lane
  std::int64_t wavefronts = 0;  ///< time units: the sum of the bank degrees (R8)
  std::int64_t conflicts = 0;   ///< wavefronts above those that the same lanes need at least

  friend bool operator==(const SharedCounts&, const SharedCounts&) = default;
  SharedCounts& operator+=(const SharedCounts& o) {
    requests += o.requests;
    wavefronts += o.wavefronts;
    conflicts += o.conflicts;
    return *this;
  }
};

/// Everything one task, phase or program was charged (theory 1.2). All fields add up, so that the
/// sum over tasks does not depend on their order.
struct Counts {
  std::int64_t alu = 0;   ///< arithmetic warp instructions
  std::int64_t idle = 0;  ///< warp instructions issued without an active lane (skip_empty off)
  GlobalCounts global_read;
  GlobalCounts global_write;
  GlobalCounts global_atomic;  ///< extension X1
  SharedCounts shared_read;
  SharedCounts shared_write;
  SharedCounts shared_atomic;  ///< extension X1
  /// Rounds of global reads that a task waits for, one after the other: the reads issued before the
  /// first use of one of them are one round. Latency, which AGPU leaves out of T (HMM's l counts
  /// them).
  std::int64_t rounds = 0;
  std::int64_t serialised = 0;    ///< sum of (κ-1) over global atomic requests (extension X1)
  std::int64_t active_lanes = 0;  ///< active lanes summed over the issued warp instructions
  std::int64_t lane_slots = 0;    ///< b per issued warp instruction

  friend bool operator==(const Counts&, const Counts&) = default;
  Counts& operator+=(const Counts& o);
  Counts& operator-=(const Counts& o);

  /// Time units charged (R9): one per instruction, extra ones per further block and bank conflict,
  /// and κ-1 of each global atomic request (X1).
  [[nodiscard]] std::int64_t time() const;
  /// I/O: global blocks (R10).
  [[nodiscard]] std::int64_t io() const {
    return global_read.blocks + global_write.blocks + global_atomic.blocks;
  }
  /// Warp instructions issued.
  [[nodiscard]] std::int64_t instructions() const;
  [[nodiscard]] std::int64_t wavefronts() const {
    return shared_read.wavefronts + shared_write.wavefronts + shared_atomic.wavefronts;
  }
  [[nodiscard]] std::int64_t conflicts() const {
    return shared_read.conflicts + shared_write.conflicts + shared_atomic.conflicts;
  }
  /// To global memory.
  [[nodiscard]] std::int64_t requests() const {
    return global_read.requests + global_write.requests + global_atomic.requests;
  }
  [[nodiscard]] std::int64_t sectors() const {
    return global_read.sectors + global_write.sectors + global_atomic.sectors;
  }
};

/// `counts` of one task multiplied by a number of equal tasks.
[[nodiscard]] Counts operator*(const Counts& counts, std::int64_t times);

}  // namespace agpusim
