#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace agpusim::ptx {

/// Who used an element of shared memory last, and when: finds accesses of two lanes of a CTA, one
/// of which writes, that no barrier orders, and reads of what nobody wrote.
///
/// Time is the number of barriers so far, of the CTA, of some of its warps, or within one. A warp
/// knows up to when what each other warp did came before what it does next.
class SharedShadow {
 public:
  enum class Found : std::uint8_t { nothing, unwritten, race, pending };

  /// Begins a CTA with `elements` elements and up to 32 warps.
  void begin(std::uint32_t elements, std::uint32_t warps);

  /// An access of lane `lane` of the CTA; strong ones do not race with each other.
  [[nodiscard]] Found read(std::uint32_t element, std::uint32_t lane, bool strong);
  /// What a write finds; note_write() notes it when all lanes of the instruction have asked.
  [[nodiscard]] Found before_write(std::uint32_t element, std::uint32_t lane, bool strong);
  void note_write(std::uint32_t element, std::uint32_t lane, bool strong) {
    if (writes_[element] != pending) writes_[element] = note_of(lane, strong);
  }
  /// Plain accesses of lanes of one warp; up to 32 elements, each with the lane that accesses it.
  struct Window {
    std::uint32_t touched = 0;                         ///< which of the 32 there are, bit by bit
    std::uint32_t twice = 0;                           ///< elements that several lanes access
    bool is_dense = false;                             ///< element i is number i
    alignas(64) std::array<std::uint32_t, 32> lane{};  ///< lane that writes it, the last of several
    std::array<std::uint32_t, 32> number{};            ///< from a first element on

    /// Adds the access of a lane, which is above the lanes before it.
    void add(std::uint32_t wanted, std::uint32_t of_lane);
  };
  /// Notes accesses to the elements first + scale * Window::number; false, and nothing noted, where
  /// one may be a defect, or must be looked at lane by lane.
  [[nodiscard]] bool read(const Window& window, std::uint32_t first, std::uint32_t scale,
                          std::uint32_t warp);
  [[nodiscard]] bool write(const Window& window, std::uint32_t first, std::uint32_t scale,
                           std::uint32_t warp);
  /// Neighbouring elements that an asynchronous copy writes, or reads.
  struct Copy {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t warp = 0;  ///< warp that began it
    bool reads = false;
  };
  /// Until it has been waited for, no lane may write these elements, nor read those that it writes.
  void begin_copy(const Copy& copy);
  /// A lane has waited for it: now it is what this user has done.
  void end_copy(const Copy& copy, std::uint32_t user);

  /// Up to when what each warp did comes before an event of which others learn.
  struct Clock {
    std::uint32_t epoch = 0;
    std::array<std::uint32_t, 32> until{};
  };
  /// What `warp` has done and knows comes before the event; what it does next, after advance(),
  /// does not.
  void release(Clock& clock, std::uint32_t warp);
  /// `warp` learns of the event.
  void acquire(const Clock& clock, std::uint32_t warp);
  /// The copies have ended before the event.
  void end_copies(Clock& clock, const std::vector<Copy>& copies);
  /// Time goes on.
  void advance();

  /// All warps of the CTA have come to a barrier.
  void barrier();
  /// Warps whose bits are set have come to a barrier.
  void barrier_of(std::uint32_t warps);
  /// The lanes of one warp have met.
  void warp_barrier(std::uint32_t warp);

  /// The lane of the access that the last race was with; 1024 or more where several share it.
  [[nodiscard]] std::uint32_t other() const { return other_; }

 private:
  // A note is time << 12 | strong << 11 | user; 0 for none. Users above the lanes are several
  // lanes of one warp, and several of the CTA.
  using Note = std::uint32_t;
  static constexpr std::uint32_t time_shift = 12;
  static constexpr Note strong_bit = 1U << 11;
  static constexpr std::uint32_t user_mask = strong_bit - 1;
  static constexpr std::uint32_t several_of_warp = 1024;
  static constexpr std::uint32_t several = several_of_warp + 32;
  static constexpr Note pending = ~Note{0};
  static constexpr std::uint32_t last_time = (1U << (32 - time_shift)) - 2;

  [[nodiscard]] Note note_of(std::uint32_t user, bool strong) const {
    return time_ << time_shift | (strong ? strong_bit : 0) | user;
  }
  /// Whether what the note tells comes before an access of `lane`.
  [[nodiscard]] bool is_before(Note note, std::uint32_t lane) const {
    return note >> time_shift <= floor_ || (note & user_mask) == lane || is_known(note, lane / 32);
  }
  /// Whether the warp knows of it by barriers of some warps.
  [[nodiscard]] bool is_known(Note note, std::uint32_t warp) const {
    const std::uint32_t time = note >> time_shift;
    const std::uint32_t user = note & user_mask;
    if (time == time_) return false;
    if (user == several) return is_known_of_several(time, warp);
    return time <= known_[warp][user >= several_of_warp ? user - several_of_warp : user / 32];
  }
  [[nodiscard]] bool is_known_of_several(std::uint32_t time, std::uint32_t warp) const;
  [[nodiscard]] bool read_again(const Window& window, std::uint32_t first, std::uint32_t scale,
                                std::uint32_t warp);
  template <class Next>
  [[nodiscard]] bool replace(std::vector<Note>& notes, const Window& window, std::uint32_t first,
                             std::uint32_t scale, Next next);

  std::uint32_t warps_ = 0;
  std::uint32_t time_ = 1;
  std::uint32_t begun_ = 1;  // time at which this CTA began
  std::uint32_t floor_ = 0;  // what is not later came before all
  std::uint32_t other_ = 0;
  std::uint32_t epoch_ = 0;  // how often times have begun again
  bool has_copies_ = false;  // this CTA has begun copies
  std::vector<Note> writes_;
  std::vector<Note> reads_;
  std::array<std::array<std::uint32_t, 32>, 32> known_{};  // [warp][of warp]
};

inline SharedShadow::Found SharedShadow::read(std::uint32_t element, std::uint32_t lane,
                                              bool strong) {
  const Note write = writes_[element];
  if (write == pending) return Found::pending;
  Note& last = reads_[element];
  // Reads that are not ordered with each other are remembered together.
  const bool follows = last != pending && is_before(last, lane);
  if (last == pending) {
    // A copy that reads too: it may still do so when this lane is known to have ended.
  } else if (follows) {
    last = note_of(lane, strong);
  } else {
    const std::uint32_t user = last & user_mask;
    const std::uint32_t of_warp = several_of_warp + lane / 32;
    const bool one_warp = user == of_warp || (user < several_of_warp && user / 32 == lane / 32);
    last = note_of(one_warp ? of_warp : several, strong && (last & strong_bit) != 0);
  }
  if (write >> time_shift < begun_) return Found::unwritten;
  if (is_before(write, lane) || (strong && (write & strong_bit) != 0)) return Found::nothing;
  other_ = write & user_mask;
  return Found::race;
}

inline SharedShadow::Found SharedShadow::before_write(std::uint32_t element, std::uint32_t lane,
                                                      bool strong) {
  const Note write = writes_[element];
  const Note read = reads_[element];
  if (write == pending || read == pending) return Found::pending;
  for (const Note note : {write, read}) {
    if (is_before(note, lane) || (strong && (note & strong_bit) != 0)) continue;
    other_ = note & user_mask;
    return Found::race;
  }
  return Found::nothing;
}

}  // namespace agpusim::ptx
