#pragma once

#include <atomic>
#include <cstdint>

#include "agpusim/model/agpu/zeroed_memory.hpp"

namespace agpusim {

/// The race rule of one global array (theory A11): within a phase no word that one task writes may
/// be read or written by another task. Atomic operations of several tasks on one word are allowed,
/// mixed with plain accesses they are not.
///
/// Every element has a record that says who used it last and how; one of an earlier phase is
/// smaller than all of this phase, so that nothing is cleared between phases. Safe to call from
/// several host threads; what is a race does not depend on their timing.
class RaceDetector {
 public:
  enum class Kind : std::uint8_t { read, write, atomic };

  static constexpr std::int64_t nobody = -1;
  static constexpr std::int64_t many = -2;

  /// What a detector of so many elements takes of the host's memory.
  [[nodiscard]] static std::int64_t host_bytes(std::int64_t elements) {
    return elements * std::int64_t{sizeof(Record)};
  }

  /// `concurrent` when several host threads call.
  RaceDetector(std::int64_t elements, bool concurrent);

  /// Forgets the accesses of earlier phases. Throws UsageError for 2^30 - 2 tasks or more.
  void begin_phase(std::int64_t tasks);

  /// Notes that `task` accesses the elements first .. first + count - 1. False where that is a
  /// race.
  [[nodiscard]] bool note_run(std::int64_t task, Kind kind, std::int64_t first, std::int64_t count);
  /// The same for the elements origin + index[i], which may repeat.
  [[nodiscard]] bool note(std::int64_t task, Kind kind, std::int64_t origin,
                          const std::int32_t* index, std::int32_t count);
  /// After a race: the other task that used the element, `many` where several share the blame,
  /// `nobody` where an access of `task` to this element is none.
  [[nodiscard]] std::int64_t other_user(std::int64_t task, Kind kind, std::int64_t element) const;

  /// Fetches the record of an element that note() will need.
  void prefetch(std::int64_t element) const { __builtin_prefetch(records_ + element, 1); }

 private:
  /// Who used an element, an identification above those of all earlier phases, times 4, plus how:
  /// 0 for reads only, 1 for atomic operations only, 2 for anything else. The first identification
  /// of a phase stands for several tasks, who all read or all did atomic operations.
  using Record = std::uint32_t;
  class Update;
  class Block;

  [[nodiscard]] Update update_of(std::int64_t task, Kind kind) const;
  template <class Access>
  [[nodiscard]] bool note_locked(const Update& update, std::int64_t lock_number, Access access);

  std::int64_t elements_;
  bool concurrent_;
  std::uint32_t several_ = 0;  // the first identification of this phase
  std::uint32_t next_ = 1;     // that of the next phase
  ZeroedMemory memory_;
  Record* records_;
  ZeroedMemory lock_memory_;          // where several threads call: one lock for
  std::atomic<std::uint8_t>* locks_;  // every 32 elements
};

}  // namespace agpusim
