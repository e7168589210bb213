#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <span>

#include "agpusim/model/agpu/touch.hpp"
#include "agpusim/model/agpu/zeroed_memory.hpp"
#include "agpusim/model/host_memory.hpp"

namespace agpusim {

/// The race rule of one global array (theory A11): within a phase no word that one task writes may
/// be read or written by another task. Atomic operations of one kind by several tasks on one word
/// are allowed, mixed with others they are not.
///
/// An array has a detector for each of a few host threads, or one for all (`concurrent`). Races of
/// tasks that one detector knows are found at the access, others when the phase is over
/// (first_race). What is a race does not depend on timing.
///
/// A record of 32 neighbouring elements says who used them last, how, and which of them; where that
/// is not one answer for all that were used, they are split: each has a record of its own. A record
/// of an earlier phase is smaller than all of this phase, so that nothing is cleared between
/// phases.
class alignas(host_lines) RaceDetector {
 public:
  /// What an access is: a race, and perhaps one of a task that used an element before, in a way
  /// that leaves its lanes in no order; bits.
  enum Found : std::uint32_t { nothing = 0, again = 1, race = 2 };

  static constexpr std::int64_t nobody = -1;
  static constexpr std::int64_t many = -2;

  /// What a detector of so many elements takes of the host's memory.
  [[nodiscard]] static std::int64_t host_bytes(std::int64_t elements) {
    const std::int64_t chunks = chunks_of(elements);
    return place_of(chunks * chunk_elements) * std::int64_t{sizeof(Record)} +
           chunks * std::int64_t{sizeof(Chunk)};
  }

  /// `concurrent` when several host threads call.
  RaceDetector(std::int64_t elements, bool concurrent);
  /// Takes the host's memory of what every access needs, which is to be had as it is used.
  void take_pages();

  /// Forgets the accesses of earlier phases. Throws UsageError for 2^29 - 2 tasks or more.
  void begin_phase(std::int64_t tasks);

  /// Notes that `task` accesses the elements first .. first + count - 1: what was found.
  [[nodiscard]] std::uint32_t note_run(std::int64_t task, Touch kind, std::int64_t first,
                                       std::int64_t count) {
    add_kind(kind);
    const std::int64_t chunk = first >> chunk_shift;
    if (!concurrent_ && chunk == (first + count - 1) >> chunk_shift) [[likely]] {
      touch(chunk);
      if (note_mine(chunks_[chunk], chunk_of(task, kind), elements_of(first, count),
                    once_mask(kind))) [[likely]]
        return nothing;
    }
    return note_chunks(task, kind, first, count);
  }
  /// Notes accesses to the elements origin + index[i], which may repeat. `anywhere`: others will
  /// access elements beside these soon.
  [[nodiscard]] std::uint32_t note(std::int64_t task, Touch kind, std::int64_t origin,
                                   const std::int32_t* index, std::int32_t count,
                                   bool anywhere = false);
  /// The other task with which an access of `task` to the element is a race, `many` where several
  /// share the blame, `nobody` where it is none.
  [[nodiscard]] std::int64_t other_user(std::int64_t task, Touch kind, std::int64_t element) const;

  /// Whether, after a race, the element was used by atomic operations of one kind before.
  [[nodiscard]] bool is_atomic_only(std::int64_t element) const;

  /// Whether, after a race, the element was only read before.
  [[nodiscard]] bool is_read_only(std::int64_t element) const;

  /// How elements were used in this phase, one bit each.
  [[nodiscard]] std::uint32_t kinds() const { return kinds_; }
  /// Whether such uses of one element by several tasks may be a race.
  [[nodiscard]] static bool may_race(std::uint32_t kinds) {
    return !std::has_single_bit(kinds) || kinds == 1U << how_of(Touch::write);
  }
  /// The first of the elements `begin` .. `end` - 1, multiples of 2^11 or the last, of which
  /// accesses of this phase that different detectors know make a race; `nobody` where there is
  /// none.
  [[nodiscard]] static std::int64_t first_race(std::span<const RaceDetector* const> detectors,
                                               std::int64_t begin, std::int64_t end);

  /// The record of an element that note() will need.
  [[nodiscard]] const void* record_of(std::int64_t element) const {
    return records_ + place_of(element);
  }

 private:
  /// Who used an element, an identification above those of all earlier phases, times 8, plus how:
  /// 0 for reads only, 1 to 3 for atomic operations of one kind only, 4 for anything else. The
  /// first identification of a phase stands for several tasks, who all read or all did such
  /// operations.
  using Record = std::uint32_t;
  /// The record of the used ones among `chunk_elements` elements in the high half, which these are
  /// in the low half; or, with 7 for how, that they are split.
  using Chunk = std::uint64_t;
  static constexpr std::int32_t chunk_shift = 5;
  static constexpr std::int64_t chunk_elements = 1 << chunk_shift;
  static constexpr std::int32_t group_shift = 6;
  static constexpr std::int64_t group_chunks = 1 << group_shift;
  class Update;
  class Block;
  class Uses;

  static constexpr std::int32_t how_bits = 3;
  static constexpr Record mixed = 4;
  [[nodiscard]] static constexpr Record how_of(Touch kind) {
    return is_atomic(kind) ? static_cast<Record>(kind) - 1 : kind == Touch::read ? 0 : mixed;
  }
  static_assert(static_cast<int>(Touch::add) == 2 && static_cast<int>(Touch::min) == 4);
  /// Mask of elements whose second use by a task is looked at: its lanes may be in no order.
  [[nodiscard]] static constexpr std::uint32_t once_mask(Touch kind) {
    return kind == Touch::write ? ~std::uint32_t{0} : 0;
  }

  [[nodiscard]] static std::int64_t chunks_of(std::int64_t elements) {
    return elements / chunk_elements + 1;
  }
  /// Notes that this phase uses the group of a chunk.
  void touch(std::int64_t chunk) {
    if (!concurrent_) groups_[chunk >> group_shift] = several_;
  }
  void add_kind(Touch kind) {
    const std::atomic_ref kinds(kinds_);
    const std::uint32_t one = 1U << how_of(kind);
    if ((kinds.load(std::memory_order_relaxed) & one) == 0) {
      kinds.fetch_or(one, std::memory_order_relaxed);
    }
  }
  /// Where the record of an element is. Every chunk skips one place: elements that are a power of
  /// two apart would meet in one set of the host's cache.
  [[nodiscard]] static std::int64_t place_of(std::int64_t element) {
    return element + (element >> chunk_shift);
  }
  [[nodiscard]] Update update_of(std::int64_t task, Touch kind) const;
  /// The record of a chunk that `task` used so, without elements.
  [[nodiscard]] Chunk chunk_of(std::int64_t task, Touch kind) const {
    return Chunk{(several_ + 1 + static_cast<Record>(task)) << how_bits | how_of(kind)} << 32;
  }
  /// The elements first .. first + count - 1 of one chunk.
  [[nodiscard]] static std::uint32_t elements_of(std::int64_t first, std::int64_t count) {
    return ~std::uint32_t{0} >> (chunk_elements - count) << first % chunk_elements;
  }
  [[nodiscard]] bool is_used(Chunk record) const { return record >> (32 + how_bits) >= several_; }
  /// Notes an access where one host thread calls and nobody, or this task in this way (`mine`),
  /// used the chunk, and none of the elements in `once`; false, and nothing noted, elsewhere.
  [[nodiscard]] bool note_mine(Chunk& record, Chunk mine, std::uint32_t elements,
                               std::uint32_t once) const {
    const bool is_new = !is_used(record);
    if (!is_new && ((record ^ mine) >> 32 | (record & elements & once)) != 0) return false;
    record = (is_new ? mine : record) | elements;
    return true;
  }
  /// note_run() for elements of several chunks.
  [[nodiscard]] std::uint32_t note_chunks(std::int64_t task, Touch kind, std::int64_t first,
                                          std::int64_t count);
  /// Notes an access to some elements of a chunk, of whichever state.
  [[nodiscard]] std::uint32_t note_part(std::int64_t task, Touch kind, std::int64_t chunk,
                                        std::uint32_t elements);
  [[nodiscard]] bool note_whole(const Update& update, std::int64_t chunk, std::uint32_t elements,
                                std::uint32_t& found);
  /// Notes an access to elements of a chunk where each has a record of its own.
  [[nodiscard]] std::uint32_t note_split(const Update& update, std::int64_t chunk,
                                         std::uint32_t elements);
  [[nodiscard]] std::uint32_t note_record(const Update& update, Record& record);
  [[nodiscard]] std::uint32_t note_one(const Update& update, std::int64_t element);
  [[nodiscard]] bool note_all_split(const Update& update, std::int64_t origin,
                                    const std::int32_t* index, std::int32_t count,
                                    std::uint32_t& found);
  [[nodiscard]] static std::int64_t race_in_chunk(std::span<const RaceDetector* const> detectors,
                                                  std::int64_t chunk);
  void split(std::int64_t chunk);
  /// Splits the chunk and those around it.
  void split_around(std::int64_t chunk);
  template <class Cell>
  [[nodiscard]] Cell load(const Cell& cell) const;
  template <class Cell>
  [[nodiscard]] bool replace(Cell& cell, Cell& seen, Cell next);

  std::int64_t elements_;
  bool concurrent_;
  std::uint32_t kinds_ = 0;
  std::uint32_t several_ = 0;  // the first identification of this phase
  std::uint32_t next_ = 1;     // first identification of the next phase
  Chunk split_ = 0;            // the record of a split chunk in this phase
  ZeroedMemory group_memory_;
  ZeroedMemory chunk_memory_;
  ZeroedMemory element_memory_;
  std::uint32_t* groups_;  // several_ of the last phase that used one of its chunks
  Chunk* chunks_;
  Record* records_;  // records of elements of split chunks
};

}  // namespace agpusim
