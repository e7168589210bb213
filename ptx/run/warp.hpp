#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "agpusim/ptx/lower/program.hpp"

namespace agpusim::ptx {

class Chain;
class Cta;
struct DoubtfulValue;

/// Calls f(lane) for each.
template <class F>
void for_lanes(Lanes lanes, F f) {
  for (; lanes != 0; lanes &= lanes - 1) f(static_cast<std::uint32_t>(std::countr_zero(lanes)));
}

/// Lanes of a warp that stand at one instruction.
struct Group {
  std::uint32_t position = 0;
  Lanes lanes = 0;
};

/// Why a warp does not go on.
enum class Wait : std::uint8_t {
  none,
  barrier,  ///< for other warps of the CTA
  order,    ///< for lower warps: it came last to a barrier
  turn,     ///< for others to go on: it has polled in vain
  share,    ///< it has run for long
  watch,    ///< for nothing: its registers are to be watched
  ended,
};

/// 32 threads of a CTA. Of lanes that have parted, those that stand lowest in the code run, and
/// groups that meet become one.
class Warp {
 public:
  Warp(Cta& owner, std::uint32_t number_in_cta) : cta(owner), number(number_in_cta) {}

  template <class T>
  [[nodiscard]] T* row(Place place) {
    return reinterpret_cast<T*>(rows + place);
  }
  /// The lanes of which the predicate is true.
  [[nodiscard]] Lanes predicate(Place place) {
    const Lanes value = *row<Lanes>(place & ~Place{3});
    return (place & 1) != 0 ? ~value : value;
  }
  /// Sets the predicate of the active lanes.
  void set_predicate(Place place, Lanes value) {
    if (place == no_place) return;
    Lanes& all = *row<Lanes>(place);
    all = (all & ~active) | (value & active);
  }

  /// Lets these lanes begin at position 0 of the code.
  void begin(Lanes lanes);
  /// Runs until it waits.
  void run();
  /// Runs until it waits, with a chain that is told each instruction.
  void run(Chain& chain);

  static constexpr std::uint8_t whole = 0xff;  ///< all bytes of a value, bit by bit
  /// What the instruction at hand writes to these places (bits) of a lane is doubtful: is it used?
  /// `unwritten`: bytes of which nobody has written the value, where it is not all of them.
  void watch(const Instruction& instruction, std::uint32_t places, std::uint32_t lane,
             const std::shared_ptr<DoubtfulValue>& value, std::uint8_t unwritten = whole);
  /// What makes the value doubtful that a lane gives to the shuffle at hand; null where nothing.
  [[nodiscard]] std::shared_ptr<DoubtfulValue> doubt_of(std::uint32_t lane) const;
  /// Bytes, bit by bit, that the store at hand takes from this place and that nobody has written.
  [[nodiscard]] std::uint8_t unwritten_of(Place place, std::uint32_t lane) const;
  [[nodiscard]] bool has_given() const { return !given_.empty(); }

  /// The running group goes on at `position`.
  void jump(std::uint32_t position) { next = code_ + position; }
  /// The lanes `taken` of the running group go on at `target`, the others behind the branch.
  void part(Lanes taken, std::uint32_t target);
  /// Other lanes of the warp will go on at `position`.
  void add(Group other);
  /// Lets the other lanes that stand lowest run, instead of the running group.
  void take_lowest();
  /// Lets only the first lane of the running group go on, where lanes are to run one at a time.
  void part_lanes();
  /// At the begin of a block: takes in the groups that stand there; false where a lower group runs
  /// first.
  bool meet(std::uint32_t position);
  /// These lanes of the running group end.
  void end_lanes(Lanes lanes);
  /// The running group stays at `position` until others of the warp have come there or ended; false
  /// where no other can run.
  [[nodiscard]] bool wait_for_lanes(std::uint32_t position);
  /// Waits; the running group goes on behind this instruction.
  void stop(Wait why);
  /// The running group has polled in vain: others of the warp run, or other warps.
  void yield();

  /// Lanes that have not ended.
  [[nodiscard]] Lanes alive() const { return alive_; }
  /// Where lanes stand that do not run.
  [[nodiscard]] std::vector<Group> standing() const;
  /// Whether the active lanes are in a turn of a loop that waits, and not in the first one.
  [[nodiscard]] bool is_polling() const { return polled != 0 && (active & ~polled) == 0; }
  /// The instruction at which it waits: a barrier, or the begin of a loop.
  [[nodiscard]] const Instruction& waits_at() const {
    return wait == Wait::barrier ? *(next - 1) : *next;
  }
  /// Position of the instruction that follows the one at hand.
  [[nodiscard]] std::uint32_t position() const { return static_cast<std::uint32_t>(next - code_); }

  Cta& cta;
  std::uint32_t number;       ///< in the CTA
  std::byte* rows = nullptr;  ///< memory of its registers
  const Instruction* next = nullptr;
  Lanes active = 0;  ///< lanes that execute the instruction at hand
  Lanes group = 0;   ///< lanes that run
  Wait wait = Wait::ended;
  const Instruction* loop = nullptr;  ///< instruction that goes back in the loop that turned last
  bool is_in_waiting_loop = false;    ///< the running group is in a loop that waits for others
  Lanes polled = 0;   ///< in the loop at hand, which waits for others: further turns are free
  Lanes awaited = 0;  ///< before a barrier or collective, since it was come to
  std::int64_t requests_before = 0;  ///< to memory, of the CTA, when that began
  /// Reads of the clock by one instruction, while the CTA accesses no memory.
  struct ClockReads {
    const Instruction* by = nullptr;
    std::int64_t begin = 0;     ///< time of the first of them
    std::int64_t turns = 0;     ///< after it
    std::int64_t accesses = 0;  ///< accesses of the CTA before all of them
  };
  ClockReads clock = {};

 private:
  /// A register whose value is doubtful in some lanes.
  struct Watched {
    Place place;
    Lanes lanes;
    std::shared_ptr<DoubtfulValue> value;
    std::uint8_t unwritten = whole;  // bytes of the value, bit by bit
    Lanes lost = 0;                  // lanes that need not be watched after this instruction
  };
  /// Lanes of a doubtful value that an instruction passes on, or uses.
  struct Passing {
    Lanes on = 0;
    Lanes used = 0;
  };
  [[nodiscard]] Passing passing(const Instruction& instruction, std::size_t operand, Lanes lanes,
                                const Watched& watched);
  void execute_watched(const Instruction& instruction);
  /// Takes note of the watched registers that an instruction uses and loses; those that get their
  /// values.
  std::vector<Watched> pass_watched(const Instruction& instruction);
  void let_run(std::vector<Group>& groups);
  [[nodiscard]] bool runs_lanes() const;

  const Instruction* code_ = nullptr;
  Lanes alive_ = 0;
  std::vector<Group> others_;   // groups that can run; highest position first
  std::vector<Group> waiting_;  // for lanes of the warp
  std::vector<Group> polling_;  // in vain, until the running group stops
  std::vector<Watched> watched_;
  std::vector<Watched> given_;  // watched registers whose values the shuffle or store takes
};

}  // namespace agpusim::ptx
