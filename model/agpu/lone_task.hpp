#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "agpusim/model/agpu/block_schedule.hpp"
#include "agpusim/model/agpu/execution.hpp"
#include "agpusim/model/agpu/instruction_prices.hpp"
#include "agpusim/model/agpu/private_cache.hpp"
#include "agpusim/model/agpu/spec.hpp"
#include "agpusim/model/agpu/touch.hpp"
#include "agpusim/model/source_line.hpp"

namespace agpusim {

struct ActiveIndices;

/// When a lane value arrives, and what it comes from.
struct Arrival {
  Moments at{};
  std::uint64_t read = 0;  ///< number of the latest read of global memory it needs, 0 for none
};

/// A task alone on a multiprocessor. The compiler arranges the instructions of a block: each issues
/// when its operands and the condition it stands under have arrived, a read not above a write of
/// the same space, and together they take their slots. A block begins when all of the one before
/// have issued; barriers, decisions and loops end it. Lane values carry the moments at which they
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
  /// The next instruction issues when the operand has arrived.
  void wait(const Arrival& value) { take(operands_, value.at); }
  void view() {
    ++executed_.views;
    block_.spend(issue_slots::view_slots);
  }
  /// A value of the lanes that the whole task goes by.
  void decide(const Arrival& value) {
    end_block(value);
    block_.spend(issue_slots::decision_slots);
  }
  /// Begins what stands under a condition; the moment to give back to end_guard().
  [[nodiscard]] Moments guard(std::int32_t warps, const Arrival& condition);
  void end_guard(const Moments& outer) { control_ = outer; }
  /// Begins a loop; the moment to give back to end_loop().
  [[nodiscard]] Moments begin_loop() const { return control_; }
  /// A turn begins if the condition holds for a lane.
  void round(std::int32_t warps, const Arrival& condition);
  void end_loop(const Moments& outer);
  void sync();

  /// An access to shared memory of so many wavefronts; the moment a read arrives.
  Moments shared(Touch touch, std::int32_t warps, std::int64_t wavefronts, std::size_t bytes);

  /// One access to the array `array` of global memory that takes place at `place`.
  struct GlobalUse {
    std::size_t place;  ///< number below traffic_places
    std::int32_t warps;
    std::int64_t sectors;
    std::int64_t blocks;
    std::size_t bytes;  ///< bytes of an element
  };
  [[nodiscard]] Arrival global_read(const GlobalUse& use, const ActiveIndices& active,
                                    std::int64_t origin, std::int64_t waits,
                                    const SourceLine& where);
  void global_write(const GlobalUse& use, const Arrival& value);

 private:
  enum class Space : std::uint8_t { global, shared };
  /// A read in the source, of one array, since the block began.
  struct Place {
    const char* file = nullptr;
    std::uint32_t line = 0;
    std::size_t array = 0;
    std::int64_t turns = 0;
    std::int64_t guards = 0;  // guards of the task before the latest turn
    std::int64_t waits = 0;   // waits of the task before it
  };

  void begin_block(const Moments& moment);
  void end_block() { begin_block(block_.end()); }
  void end_block(const Arrival& decision);
  /// When the instruction at hand issues.
  Moments start(std::int64_t cost);
  /// Ends the block where a loop has read as many words in it as the compiler keeps in flight, or
  /// one of the batches of reads that the program itself makes.
  void count_words(const GlobalUse& use, std::int64_t waits, const SourceLine& where);
  [[nodiscard]] std::int64_t misses_of(std::size_t place, const ActiveIndices& active,
                                       std::int64_t origin, std::size_t bytes, std::int64_t& lines);

  std::int32_t warps_;
  Execution executed_;
  std::int64_t live_values_ = 0;
  PrivateCache cache_;
  std::uint64_t reads_ = 0;  // reads of global memory so far
  Moments operands_{};       // when operands of the instruction at hand arrive
  Moments control_{};        // when the condition arrives that it stands under
  BlockSchedule block_;
  // What is known of the block:
  std::uint64_t first_read_ = 1;   // its number
  std::int64_t words_ = 0;         // words that a lane reads
  bool is_batch_ = false;          // reads at one place without a wait between them
  std::int64_t words_before_ = 0;  // words of turns that are over
  std::array<Place, 8> places_{};  // where its latest reads stand
  std::size_t next_place_ = 0;
  std::array<Moments, 2> written_{};  // latest write, by Space
};

}  // namespace agpusim
