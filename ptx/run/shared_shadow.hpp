#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "agpusim/ptx/run/order.hpp"

namespace agpusim::ptx {

/// Who used an element of shared memory last, and when: finds accesses of two threads of a CTA, one
/// of which writes, that are in no order, and reads of what nobody wrote.
class SharedShadow {
 public:
  enum class Found : std::uint8_t { nothing, unwritten, race, pending };

  explicit SharedShadow(const Order& order) : order_(order) {}

  /// Begins a CTA with `elements` elements, after Order::begin().
  void begin(std::uint32_t elements);

  /// An access of a thread of the CTA.
  [[nodiscard]] Found read(std::uint32_t element, std::uint32_t thread, Strength strength);
  /// What a write finds; note_write() notes it when all lanes of the instruction have asked.
  [[nodiscard]] Found before_write(std::uint32_t element, std::uint32_t thread, Strength strength);
  /// Whether another lane has written it at the same time, as lanes of one instruction do.
  bool note_write(std::uint32_t element, std::uint32_t thread, Strength strength) {
    if (writes_[element] == pending) return false;
    const Note mine = note_of_thread(thread, strength);
    const bool is_together = is_of_one_time({writes_[element]}, mine);
    writes_[element] = mine.bits;
    return is_together;
  }
  [[nodiscard]] bool is_written(std::uint32_t element) const {
    return Note{writes_[element]}.time() >= order_.begun();  // and so is what is pending
  }
  /// Plain accesses of lanes of one warp; up to 32 elements, each with the lane that accesses it.
  struct Window {
    std::uint32_t touched = 0;                         ///< which of the 32 there are, bit by bit
    std::uint32_t twice = 0;                           ///< elements that several lanes access
    bool is_dense = false;                             ///< element i is number i
    alignas(64) std::array<std::uint32_t, 32> lane{};  ///< lane that writes it, the last of several
    /// The node of its lanes, counted from the first of its level in the warp; nodes of that level.
    alignas(64) std::array<std::uint32_t, 32> part{};
    alignas(64) std::array<std::uint32_t, 32> level{};
    std::array<std::uint32_t, 32> number{};  ///< from a first element on

    /// Adds the access of a lane, which is above the lanes before it.
    void add(std::uint32_t wanted, std::uint32_t of_lane);
  };
  /// Notes accesses to the elements first + scale * Window::number; false, and nothing noted, where
  /// one may be a defect, or must be looked at lane by lane.
  [[nodiscard]] bool read(const Window& window, std::uint32_t first, std::uint32_t scale,
                          std::uint32_t warp);
  [[nodiscard]] bool write(const Window& window, std::uint32_t first, std::uint32_t scale,
                           std::uint32_t warp);
  /// Elements that lanes of a warp access, the lowest lane first; behind `count` the first again.
  struct Scattered {
    std::uint32_t count = 0;
    alignas(64) std::array<std::uint32_t, 32> number;
    alignas(64) std::array<std::uint32_t, 32> lane;
  };
  /// As read() of a window, of weak or atomic accesses.
  [[nodiscard]] bool read(const Scattered& elements, std::uint32_t warp, Strength strength);
  /// Whether nothing is found before weak writes, which note_write() notes.
  [[nodiscard]] bool may_write(const Scattered& elements, std::uint32_t warp) const;
  /// Neighbouring elements that an asynchronous copy writes, or reads.
  struct Copy {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t warp = 0;  ///< warp that began it
    bool reads = false;
  };
  /// Until it has been waited for, no lane may write these elements, nor read those that it writes.
  void begin_copy(const Copy& copy);
  /// These threads have waited for it: now it is what they have done.
  void end_copy(const Copy& copy, std::uint32_t who);
  /// Notes tell nothing more: their times begin again.
  void restart();

  /// The access that the last race was with, and whether that was a read.
  [[nodiscard]] Note other() const { return other_; }
  [[nodiscard]] bool other_reads() const { return other_reads_; }

 private:
  static constexpr std::uint32_t pending = ~std::uint32_t{0};

  [[nodiscard]] std::uint32_t note_of(std::uint32_t node, Strength strength) const {
    return Note::of(order_.time(threads::warp_above(node) - threads::first_warp), node, strength)
        .bits;
  }
  [[nodiscard]] Note note_of_thread(std::uint32_t thread, Strength strength) const {
    return Note::of(order_.time(thread / warp_lanes), threads::of(thread), strength);
  }
  struct Before;
  struct Access;
  [[nodiscard]] bool read_again(const Window& window, std::uint32_t first, std::uint32_t scale,
                                std::uint32_t warp);
  template <class F>
  [[nodiscard]] bool all_of(const Scattered& elements, std::uint32_t warp, F f) const;
  template <class Next>
  [[nodiscard]] bool replace(std::vector<std::uint32_t>& notes, const Window& window,
                             std::uint32_t first, std::uint32_t scale, Next next);

  const Order& order_;
  Note other_;
  bool other_reads_ = false;
  bool has_copies_ = false;            // this CTA has begun copies
  std::vector<std::uint32_t> writes_;  // notes
  std::vector<std::uint32_t> reads_;
};

inline SharedShadow::Found SharedShadow::read(std::uint32_t element, std::uint32_t thread,
                                              Strength strength) {
  const Note write{writes_[element]};
  if (write.bits == pending) return Found::pending;
  std::uint32_t& last = reads_[element];
  const Note mine = note_of_thread(thread, strength);
  // Reads that are in no order with each other are remembered together. A copy that reads may still
  // do so when this thread is known to have ended.
  if (last != pending) {
    last = order_.is_read_before({last}, thread) ? mine.bits : Note{last}.with(mine).bits;
  }
  if (write.time() < order_.begun()) return Found::unwritten;
  if (order_.is_before(write, thread) || !is_race(write, thread, strength)) return Found::nothing;
  other_ = write;
  other_reads_ = false;
  return Found::race;
}

inline SharedShadow::Found SharedShadow::before_write(std::uint32_t element, std::uint32_t thread,
                                                      Strength strength) {
  const Note write{writes_[element]};
  const Note read{reads_[element]};
  if (write.bits == pending || read.bits == pending) return Found::pending;
  if (!order_.is_before(write, thread) && is_race(write, thread, strength)) {
    other_ = write;
    other_reads_ = false;
    return Found::race;
  }
  if (!order_.is_read_before(read, thread) && is_race(read, thread, strength)) {
    other_ = read;
    other_reads_ = true;
    return Found::race;
  }
  return Found::nothing;
}

}  // namespace agpusim::ptx
