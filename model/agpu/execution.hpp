#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace agpusim {

/// Kinds of arithmetic warp instruction that hardware prices apart.
enum class Op : std::uint8_t {
  add,    ///< integer + and -
  logic,  ///< integer & | ^
  shift,
  multiply,  ///< integer *
  divide,    ///< integer / and % by a uniform divisor
  compare,
  minimum,  ///< min or max
  select,
  convert,   ///< cast between lane types
  truth,     ///< & | ^ of truth values
  floating,  ///< floating-point + - * and fma
  floating_divide,
};
inline constexpr std::size_t op_kinds = 12;

/// The operation `integer` on lanes of type T.
template <class T>
constexpr Op op_on(Op integer) {
  if constexpr (std::is_same_v<T, bool>) {
    if (integer == Op::logic) return Op::truth;
  }
  if constexpr (std::is_floating_point_v<T>) {
    if (integer == Op::add || integer == Op::multiply) return Op::floating;
    if (integer == Op::divide) return Op::floating_divide;
  }
  return integer;
}

/// Latencies of a read of global memory that misses the L1 cache, in cycles, for which the time of
/// a lone task is counted.
inline constexpr std::array<std::int32_t, 4> lone_latencies = {280, 560, 900, 1500};
/// Parts of a cycle in which it is counted.
inline constexpr std::int64_t lone_units = 20;

/// A time, or a length of time, for each of lone_latencies, in 1 / lone_units of a cycle.
using Moments = std::array<std::int64_t, lone_latencies.size()>;

/// Arrays of global memory whose traffic is told apart; further ones share a place.
inline constexpr std::size_t traffic_places = 12;

/// What tasks execute on hardware beyond what AGPU counts (theory, "what a prediction counts"): an
/// extension that no T, Q or price depends on. All fields add up.
struct Execution {
  std::array<std::int64_t, 2 * op_kinds> operations{};  ///< by kind; then of 64-bit lanes
  std::int64_t views = 0;                               ///< from(): addresses computed anew
  std::int64_t guards = 0;                              ///< masks made by when(), once per warp
  std::int64_t rounds = 0;                              ///< turns of while_any, once per warp
  std::int64_t syncs = 0;
  std::int64_t misses = 0;  ///< sectors read that a private L1 cache of the task does not hold
  std::int64_t missed_reads = 0;      ///< requests with a miss
  std::int64_t missed_lines = 0;      ///< lines of 128 bytes of those misses, per request
  std::int64_t scattered_reads = 0;   ///< sectors of accesses that use one sector of each block
  std::int64_t scattered_writes = 0;  ///< sectors written by such accesses
  Moments lone{};                     ///< time of a task alone on a multiprocessor, in order
  std::array<std::int64_t, traffic_places> read_sectors{};     ///< by array
  std::array<std::int64_t, traffic_places> written_sectors{};  ///< by array, atomics too

  friend bool operator==(const Execution&, const Execution&) = default;
  Execution& operator+=(const Execution& o);
  Execution& operator-=(const Execution& o);
  [[nodiscard]] std::int64_t count(Op op, bool wide) const {
    return operations[static_cast<std::size_t>(op) + (wide ? op_kinds : 0)];
  }
};

[[nodiscard]] Execution operator*(const Execution& execution, std::int64_t times);

/// What the tasks of one phase execute.
struct PhaseExecution {
  bool counted = false;
  Execution total;               ///< summed over all tasks
  Moments longest{};             ///< lone time of the longest task
  std::int64_t live_values = 0;  ///< most 32-bit registers that lane values held at once
  std::array<std::int64_t, traffic_places> array_sectors{};  ///< sizes of the arrays
  /// Turns of 4 cycles of a scheduler's slow units: special functions, conversions, exchanges.
  std::int64_t special_turns = 0;
  std::int64_t code = 0;       ///< machine instructions, each once
  std::int64_t l1_passes = 0;  ///< cycles of the L1 caches for reads of global memory
  std::int64_t swaps = 0;      ///< requests that compare and swap
  /// Sectors that move behind simulated caches, where they are: 1.
  std::int64_t has_caches = 0;
  std::int64_t l2_read = 0;
  std::int64_t memory_read = 0;
  std::int64_t memory_written = 0;
  std::int64_t link_read = 0;  ///< from memory of the host
  std::int64_t link_written = 0;

  friend bool operator==(const PhaseExecution&, const PhaseExecution&) = default;
  /// A task of the phase that took so much alone.
  void note_task(const Execution& task, std::int64_t values);
  /// What another host thread counted.
  void merge(const PhaseExecution& other);
};

}  // namespace agpusim
