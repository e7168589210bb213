#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "agpusim/ptx/lower/program.hpp"

namespace agpusim::ptx {

/// Number of a period of a warp, which what others may learn of ends. Each CTA counts its own.
using Time = std::uint32_t;

/// Threads of a CTA, as a node of a binary tree that is numbered as a heap.
namespace threads {
inline constexpr std::uint32_t first_warp = 32;
inline constexpr std::uint32_t first_thread = 1024;

[[nodiscard]] constexpr std::uint32_t of_warp(std::uint32_t warp) { return first_warp + warp; }
[[nodiscard]] constexpr std::uint32_t of(std::uint32_t thread) { return first_thread + thread; }
/// The smallest node that holds both.
[[nodiscard]] constexpr std::uint32_t joined(std::uint32_t a, std::uint32_t b) {
  while (a != b) (a > b ? a : b) >>= 1;
  return a;
}
/// How many levels a node lies below the root.
[[nodiscard]] constexpr std::uint32_t depth(std::uint32_t node) {
  return static_cast<std::uint32_t>(std::bit_width(node)) - 1;
}
/// The node of the warp in which a node lies; 0 for one of several warps.
[[nodiscard]] constexpr std::uint32_t warp_above(std::uint32_t node) {
  return node < first_warp ? 0 : node >> (depth(node) - depth(first_warp));
}
}  // namespace threads

/// How an access meets others: strong ones do not race with each other, those of the CTA's scope
/// within the CTA.
enum class Strength : std::uint8_t { weak, of_cta, is_volatile, strong };

/// An access: time << 14 | mixed << 13 | strength << 11 | threads; 0 for none.
/// Several unordered reads are one note: `mixed` says that their times differ.
struct Note {
  static constexpr std::uint32_t time_shift = 14;
  static constexpr std::uint32_t mixed_bit = 1U << 13;
  static constexpr std::uint32_t strength_shift = 11;
  static constexpr std::uint32_t threads_mask = (1U << strength_shift) - 1;
  static constexpr Time last_time = (1U << (32 - time_shift)) - 2;

  std::uint32_t bits = 0;

  [[nodiscard]] static constexpr Note of(Time time, std::uint32_t threads, Strength strength) {
    return {time << time_shift | static_cast<std::uint32_t>(strength) << strength_shift | threads};
  }
  [[nodiscard]] Time time() const { return bits >> time_shift; }
  [[nodiscard]] std::uint32_t threads() const { return bits & threads_mask; }
  [[nodiscard]] bool is_mixed() const { return (bits & mixed_bit) != 0; }
  [[nodiscard]] Strength strength() const {
    return static_cast<Strength>(bits >> strength_shift & 3);
  }
  /// This note of reads, and a later one that is in no order with it.
  [[nodiscard]] Note with(Note other) const {
    const bool differs = is_mixed() || other.is_mixed() || time() != other.time();
    Note result = of(std::max(time(), other.time()), threads::joined(threads(), other.threads()),
                     std::min(strength(), other.strength()));
    if (differs) result.bits |= mixed_bit;
    return result;
  }
};

/// Whether two accesses of which one writes are a race: strong ones are not, but that `volatile`
/// orders nothing between lanes of a warp.
[[nodiscard]] inline bool is_race(Note note, std::uint32_t thread, Strength strength) {
  const Strength other = note.strength();
  if (strength == Strength::weak || other == Strength::weak) return true;
  if (strength != Strength::is_volatile || other != Strength::is_volatile) return false;
  return threads::warp_above(note.threads()) == threads::of_warp(thread / warp_lanes);
}

/// Whether two lanes of one warp have accessed at one time.
[[nodiscard]] inline bool is_of_one_time(Note a, Note b) {
  return a.time() == b.time() && a.threads() != b.threads() &&
         a.threads() / warp_lanes == b.threads() / warp_lanes;
}

/// How far a fence, a release or an acquire reaches.
enum class Scope : std::uint8_t { cta, device };

class Log;
struct View;

/// What some lanes of a warp have published: what each of them did until then, and what all knew;
/// without lanes, only that.
struct Published {
  std::uint32_t cta = 0;
  std::uint32_t warp = 0;
  Lanes lanes = 0;
  Time time = 0;
  Scope scope = Scope::cta;
  std::shared_ptr<const View> view = {};
};

/// The first `length` entries of a log, of which a thread knows.
struct Learned {
  std::shared_ptr<const Log> log;
  std::size_t length = 0;
  std::uint32_t latest = 0;  ///< number of the last of them in the launch
  Scope scope = Scope::cta;
  bool by_operation = false;  ///< an atomic operation has read it
};

/// What a thread knows beyond what its CTA and warp know.
struct Clock {
  /// By CTA, warp, lanes and scope.
  std::map<std::tuple<std::uint32_t, std::uint32_t, Lanes, Scope>, Published> published;
  std::vector<Learned> learned;
  std::uint32_t latest = 0;  ///< number of the last publication that was learned

  void add(const Published& one);
  void add(const Learned& one);
  void add(const Clock& other);
  [[nodiscard]] bool empty() const { return published.empty() && learned.empty(); }
};

/// What the lanes of a warp knew at a time.
struct View {
  Time floor = 0;
  std::array<Time, 32> known{};
  std::shared_ptr<const Clock> clock = {};
};

/// What was published through a word of memory, the oldest first.
class Log {
 public:
  void add(const Published& one);
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] const Published& operator[](std::size_t i) const { return entries_[i]; }
  /// The entries of a CTA, or null.
  [[nodiscard]] const std::vector<std::size_t>* of(std::uint32_t cta) const;
  [[nodiscard]] std::size_t ctas() const { return of_.size(); }
  /// Entries whose lanes knew more than their CTA.
  [[nodiscard]] const std::vector<std::size_t>& with_clocks() const { return with_clocks_; }

 private:
  std::vector<Published> entries_;
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> of_;
  std::vector<std::size_t> with_clocks_;
};

/// The words of memory to which threads have published.
struct Words {
  std::unordered_map<std::uint64_t, std::shared_ptr<Log>> log;  ///< by address
  std::uint32_t published = 0;                                  ///< how often
  bool is_shared = false;  ///< words of one CTA, which `published` does not count
};

/// What those who come to a barrier, named or in memory, tell those who leave it.
struct Gathering {
  std::array<Time, 32> joined{};
  Clock clock = {};
  std::vector<Published> fenced = {};
  std::vector<Learned> pending = {};
};

/// The order of what the threads of a CTA do, as the memory consistency model of PTX has it (PTX
/// ISA, chapter 8): what happens before what.
class Order {
 public:
  Order() { time_.fill(1); }
  /// The CTA begins; `cta`: a number of its own in the launch.
  void begin(std::uint32_t cta, std::uint32_t threads);

  [[nodiscard]] std::uint32_t cta() const { return cta_; }
  [[nodiscard]] Time time(std::uint32_t warp) const { return time_[warp]; }
  /// What is not later came before all that the CTA does next.
  [[nodiscard]] Time floor() const { return floor_; }
  /// The time at which the CTA began.
  [[nodiscard]] Time begun() const { return begun_; }
  /// The node of all threads of the CTA.
  [[nodiscard]] std::uint32_t all() const {
    return threads::joined(threads::of_warp(0), threads::of_warp(warps_ - 1));
  }
  /// The warp has accessed memory at its time.
  void touch(std::uint32_t warp) { touched_ |= 1U << warp; }
  /// Up to then all lanes of a warp know of all lanes of another.
  [[nodiscard]] Time known(std::uint32_t warp, std::uint32_t of) const { return known_[warp][of]; }
  /// Up to then, what any lane of a warp has read comes before what its lanes write.
  [[nodiscard]] Time read_until(std::uint32_t warp) const {
    const bool has_all = (lanes_of(warp) & ~shuffled_[warp].lanes) == 0;
    return std::max(known_[warp][warp], has_all ? shuffled_[warp].time : 0);
  }
  /// Whether warps have learned of each other by barriers of the CTA alone since the last one.
  [[nodiscard]] bool is_simple() const { return is_simple_; }
  /// How often the times have begun again, so that no note tells anything.
  [[nodiscard]] std::uint32_t epoch() const { return epoch_; }

  /// Whether what the note tells, of this CTA, comes before what the thread does next.
  [[nodiscard]] bool is_before(Note note, std::uint32_t thread) const {
    if (note.time() <= floor_ || note.threads() == threads::of(thread)) return true;
    const std::uint32_t warp = thread / warp_lanes;
    const bool is_own = note.threads() / warp_lanes == threads::of_warp(warp);  // one lane of it
    // Barriers of the CTA have told all that a lane of another warp did: that came later.
    if (is_simple_ && !is_own && note.threads() >= threads::first_thread) return false;
    return (is_own && note.time() <= known_[warp][warp]) || knows(note, thread);
  }
  /// As is_before(), of a read before a write: a shuffle takes along what its lanes have read.
  [[nodiscard]] bool is_read_before(Note note, std::uint32_t thread) const {
    return is_before(note, thread) || was_shuffled(note, thread / warp_lanes);
  }
  /// Whether it comes before, of another CTA.
  [[nodiscard]] bool is_before(std::uint32_t cta, Note note, std::uint32_t thread) const;
  /// The latest publication of any CTA of which the thread knows, as Words counts them.
  [[nodiscard]] std::uint32_t latest(std::uint32_t thread) const {
    const Thread& self = state(thread);
    return self.clock == nullptr ? 0 : self.clock->latest;
  }

  /// All warps of the CTA have come to a barrier.
  void barrier();
  /// Lanes of a warp come to a barrier of some warps, or to one in memory.
  void arrive(Gathering& gathering, std::uint32_t warp, Lanes lanes);
  /// These lanes learn of all who have come.
  void leave(const Gathering& gathering, std::uint32_t warp, Lanes lanes);
  /// Lanes of a warp have met.
  void sync(std::uint32_t warp, Lanes lanes);
  /// A value of each lane has gone to others.
  void shuffle(std::uint32_t warp, Lanes lanes) { shuffled_[warp] = {close(warp), lanes}; }
  void fence(std::uint32_t warp, Lanes lanes, Scope scope);

  /// Whether some thread of the CTA has executed a fence.
  [[nodiscard]] bool has_fenced() const { return has_fenced_; }
  /// A thread has read what other CTAs may publish, as look-back of prefix sums does. What it
  /// writes and where depends on what they have read before: so its CTA writes behind that.
  void look() { has_looked_ = true; }
  [[nodiscard]] bool has_looked() const { return has_looked_; }
  /// A strong access of a thread to a word.
  struct WordAccess {
    std::uint64_t address = 0;
    bool reads = false;
    bool writes = false;
    bool acquires = false;
    bool releases = false;
    Scope scope = Scope::device;
  };
  void access(Words& words, std::uint32_t thread, const WordAccess& access);

  /// Ends the period of a warp in which it has accessed memory; the last one.
  Time close(std::uint32_t warp);

 private:
  /// What a thread knows and did beyond what its warp did.
  struct Thread {
    std::shared_ptr<const Clock> clock;
    std::shared_ptr<const std::vector<Published>> fenced;  // by its last fence of each scope
    std::vector<Learned> pending;                          // read, and not yet acquired by a fence
  };
  [[nodiscard]] bool knows(Note note, std::uint32_t thread) const;
  [[nodiscard]] bool was_shuffled(Note note, std::uint32_t warp) const;
  /// Times begin again: what was before, came before all that follows.
  void restart();
  [[nodiscard]] Lanes lanes_of(std::uint32_t warp) const;
  [[nodiscard]] const Thread& state(std::uint32_t thread) const {
    return threads_.empty() || threads_[thread] == nullptr ? common_ : *threads_[thread];
  }
  [[nodiscard]] Thread& own_state(std::uint32_t thread);
  [[nodiscard]] std::shared_ptr<const View> view_of(
      std::uint32_t warp, const std::shared_ptr<const Clock>& clock) const;
  static void acquire(Thread& thread, const std::vector<Learned>& learned, Scope scope);
  /// Adds what a thread has to tell; `last`: the thread before it, or null.
  static void gather(Gathering& gathering, const Thread& thread, const Thread* last);
  [[nodiscard]] Gathering gathered(std::uint32_t warp, Lanes lanes) const;
  void learn(const Gathering& gathering, std::uint32_t warp, Lanes lanes);

  std::uint32_t cta_ = 0;
  std::uint32_t count_ = 0;  // threads
  std::uint32_t warps_ = 0;
  Time floor_ = 0;
  Time begun_ = 1;
  std::uint32_t epoch_ = 0;
  std::uint32_t touched_ = 0;  // warps
  bool has_fenced_ = false;
  bool has_looked_ = false;
  bool is_simple_ = true;
  std::array<Time, 32> time_{};
  std::array<std::array<Time, 32>, 32> known_{};  // [warp][of warp]
  struct Shuffled {
    Time time = 0;
    Lanes lanes = 0;
  };
  std::array<Shuffled, 32> shuffled_{};  // the last time that lanes of each warp did so
  Thread common_;                        // state of all threads that `threads_` lacks
  std::vector<std::unique_ptr<Thread>> threads_;
};

}  // namespace agpusim::ptx
