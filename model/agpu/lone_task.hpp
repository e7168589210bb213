#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "agpusim/model/agpu/execution.hpp"
#include "agpusim/model/agpu/instruction_prices.hpp"
#include "agpusim/model/agpu/private_cache.hpp"
#include "agpusim/model/agpu/spec.hpp"
#include "agpusim/model/source_line.hpp"

namespace agpusim {

struct ActiveIndices;

/// When a lane value arrives, and what it comes from.
struct Arrival {
  Moments at{};
  std::uint64_t read = 0;  ///< number of the latest read of global memory it needs, 0 for none
};

/// A task alone on a multiprocessor that issues in order: an instruction issues when the one before
/// has left the way and its operands have arrived. Lane values carry the moments at which they
/// arrive. A state of one host thread.
class LoneTask {
 public:
  explicit LoneTask(const AgpuSpec& spec);

  void begin_task();
  /// What the task has executed so far.
  [[nodiscard]] Execution executed() const;
  /// Most registers that lane values held at once.
  [[nodiscard]] std::int64_t live_values() const { return live_values_; }
  /// As if the task had executed `part` so many times more.
  void repeat(const Execution& part, std::int64_t times);

  /// One instruction of `warps` warps on 32-bit lanes, or `wide` ones, while values take `live`
  /// registers; the moment its result arrives.
  [[nodiscard]] Moments issue(Op op, bool wide, std::int32_t warps, std::int32_t live);
  /// Until the operand has arrived.
  void wait(const Arrival& value) {
    for (std::size_t i = 0; i < clock_.size(); ++i) clock_[i] = std::max(clock_[i], value.at[i]);
  }
  /// Until the operand of a branch or of scalar work has arrived: no read behind it is issued
  /// earlier.
  void wait_before_all(const Arrival& value) {
    wait(value);
    if (value.read >= first_in_flight_) reads_in_flight_ = 0;
  }
  void view() {
    ++executed_.views;
    advance(issue_slots::view_slots);
  }
  /// A value of the lanes that the whole task goes by.
  void decide(const Arrival& value) {
    wait_before_all(value);
    advance(issue_slots::decision_slots);
  }
  void guard(std::int32_t warps);
  void round(std::int32_t warps);
  void sync();

  /// An access to shared memory of so many wavefronts; the moment a read arrives.
  Moments shared(std::int32_t warps, std::int64_t wavefronts, std::size_t bytes);

  /// One access to the array `array` of global memory that takes place at `place`.
  struct GlobalUse {
    std::size_t place;  ///< of traffic_places
    std::int32_t warps;
    std::int64_t sectors;
    std::int64_t blocks;
    std::size_t bytes;    ///< of an element
    std::uint64_t after;  ///< the latest read that says where it takes place
  };
  [[nodiscard]] Arrival global_read(const GlobalUse& use, const ActiveIndices& active,
                                    std::int64_t origin, std::int64_t waits,
                                    const SourceLine& where);
  void global_write(const GlobalUse& use, const Arrival& value);

 private:
  void advance(std::int64_t units);
  [[nodiscard]] bool joins_reads_in_flight(const GlobalUse& use, std::int64_t waits,
                                           const SourceLine& where);
  [[nodiscard]] std::int64_t misses_of(std::size_t place, const ActiveIndices& active,
                                       std::int64_t origin, std::size_t bytes, std::int64_t& lines);

  std::int32_t warps_;
  Execution executed_;
  Moments clock_{};
  std::int64_t live_values_ = 0;
  PrivateCache cache_;
  std::uint64_t reads_ = 0;  // of global memory, so far
  // Reads at one place of the source, with nothing between them that they must wait for.
  std::uint64_t first_in_flight_ = 0;  // its number
  const char* read_file_ = nullptr;
  std::uint32_t read_line_ = 0;
  std::size_t read_place_ = 0;
  std::int64_t reads_in_flight_ = 0;
  std::int64_t waits_ = 0;  // of the task, at the latest of them
  bool batched_ = false;    // the program itself issues several before it uses one
  Moments first_read_{};
};

}  // namespace agpusim
