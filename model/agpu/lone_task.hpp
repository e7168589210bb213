#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "agpusim/model/agpu/execution.hpp"
#include "agpusim/model/agpu/instruction_prices.hpp"
#include "agpusim/model/agpu/spec.hpp"
#include "agpusim/model/source_line.hpp"

namespace agpusim {

struct ActiveIndices;

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
  void wait(const Moments& arrives) {
    for (std::size_t i = 0; i < clock_.size(); ++i) clock_[i] = std::max(clock_[i], arrives[i]);
  }
  void view() {
    ++executed_.views;
    advance(view_slots);
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
    std::size_t bytes;  ///< of an element
  };
  [[nodiscard]] Moments global_read(const GlobalUse& use, const ActiveIndices& active,
                                    std::int64_t origin, std::int64_t waits,
                                    const SourceLine& where);
  void global_write(const GlobalUse& use, const Moments& value);

 private:
  // Cycles, in lone_units, between the issue of an instruction and of the next.
  static constexpr std::int64_t add_slots = 25;
  static constexpr std::int64_t slots = 40;
  static constexpr std::int64_t shared_slots = 26;
  static constexpr std::int64_t global_slots = 80;
  static constexpr std::int64_t view_slots = 110;
  static constexpr std::int64_t guard_slots = 9 * lone_units;
  static constexpr std::int64_t round_slots = 15 * lone_units;

  void advance(std::int64_t units);
  [[nodiscard]] std::int64_t misses_of(std::size_t place, const ActiveIndices& active,
                                       std::int64_t origin, std::size_t bytes, std::int64_t& lines);

  /// A line of the private L1 cache: which one, since when, and which of its sectors it holds.
  struct Line {
    std::uint64_t number = 0;
    std::uint64_t filling = 0;
    std::uint32_t sectors = 0;
  };

  std::int32_t warps_;
  Execution executed_;
  Moments clock_{};
  std::int64_t live_values_ = 0;
  std::vector<Line> cache_;    // open addressing by line
  std::uint64_t filling_ = 0;  // a task begins with an empty cache, and a full one is emptied
  std::size_t cached_lines_ = 0;
  // Reads at one place of the source, with nothing between them that they must wait for.
  const char* read_file_ = nullptr;
  std::uint32_t read_line_ = 0;
  std::size_t read_place_ = 0;
  std::int64_t reads_in_flight_ = 0;
  std::int64_t waits_ = 0;  // of the task, at the latest of them
  bool batched_ = false;    // the program itself issues several before it uses one
  Moments first_read_{};
};

}  // namespace agpusim
