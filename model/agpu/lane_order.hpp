#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "agpusim/model/agpu/lane_context.hpp"
#include "agpusim/model/agpu/touch.hpp"
#include "agpusim/model/agpu/zeroed_memory.hpp"
#include "agpusim/model/source_line.hpp"

namespace agpusim {

/// Indices and lanes of accesses that outlive these.
class LaneCopies {
 public:
  /// `all`: the numbers of all lanes, which stay where they are.
  explicit LaneCopies(const std::int32_t* all) : all_(all) {}

  void clear() { used_ = 0; }
  [[nodiscard]] bool has_room(std::int32_t count) const {
    return used_ + 2 * static_cast<std::size_t>(count + step) <= places_.size();
  }
  /// Where there is room; what `active` says of warps and bounds is left out.
  [[nodiscard]] ActiveIndices copy(const ActiveIndices& active) {
    ActiveIndices result;
    result.index = copy(active.index, active.count);
    result.lane = active.lane == all_ ? all_ : copy(active.lane, active.count);
    result.count = active.count;
    result.shape = active.shape;
    result.distinct = active.distinct;
    return result;
  }

 private:
  /// Lane values, and so indices, lie in a multiple of so many places.
  static constexpr std::int32_t step = 16;

  const std::int32_t* copy(const std::int32_t* from, std::int32_t count) {
    std::int32_t* const to = places_.data() + used_;
    for (std::int32_t i = 0; i < count; i += step)
      std::memcpy(to + i, from + i, step * sizeof(*to));
    used_ += static_cast<std::size_t>((count + step - 1) / step * step);
    return to;
  }

  const std::int32_t* all_;
  std::size_t used_ = 0;
  std::vector<std::int32_t> places_ = std::vector<std::int32_t>(1 << 13);
};

/// The order rule of one task (theory A15): between two barriers, accesses of different lanes to
/// one element are legal if all of them read, or all are atomic operations of one kind, or all are
/// fetch_add by one warp in different instructions. One lane's accesses are in order. Lanes of one
/// instruction may also store one value, after which nobody touches the element before the barrier.
///
/// A note per element says who touched it since the last barrier, and how.
class LaneOrder {
 public:
  /// Notes up to `elements` elements; messages call them `memory`. `must_be_written`: a task may
  /// not read elements that it has not written (theory A16).
  LaneOrder(LaneContext& context, std::int64_t elements, std::string_view memory,
            bool must_be_written);

  /// The array of an access, and its notes.
  struct Array {
    std::string_view name;
    std::int64_t origin;   ///< element that index 0 is
    std::uint32_t* notes;  ///< note of that element, the others behind it
  };
  [[nodiscard]] std::uint32_t* notes() const { return memory_.as<std::uint32_t>(); }

  void begin_task() {
    barrier();
    floor_ = must_be_written_ ? now() : 0;
  }
  void barrier();
  /// The elements below `elements` may be noted; the host gives memory for what is.
  void use(std::int64_t elements) { used_ = std::max(used_, elements); }

  /// Notes an access of the active lanes; throws RuleViolation where it has no order with an
  /// earlier one. `known`, if not null, has a lane for each place.
  void note(const Array& array, Touch touch, const ActiveIndices& active, const KnownIndices* known,
            const SourceLine& where) {
    const bool legal = touch == Touch::read    ? note_reads(array.notes, active, known)
                       : touch == Touch::write ? note_writes(array.notes, active, known)
                       : is_atomic(touch)      ? note_atomics(array.notes, touch, active)
                                               : false;
    if (!legal) [[unlikely]]
      note_each(array, touch, active, where);
  }

 private:
  // A note is epoch << 14 | (2·touch + 1 + whether by several lanes) << 10 | lane; the epoch grows
  // with every barrier. By one lane in several ways: as if it wrote.
  static constexpr std::uint32_t lane_bits = 10;
  static constexpr std::uint32_t epoch_shift = 14;
  static constexpr std::uint32_t last_epoch = (1U << (32 - epoch_shift)) - 1;
  static constexpr std::uint32_t refused = ~0U;

  /// The part of a note below the epoch.
  static constexpr std::uint32_t by_one(Touch touch) {
    return (2 * static_cast<std::uint32_t>(touch) + 1) << lane_bits;
  }
  static constexpr std::uint32_t by_many(Touch touch) { return by_one(touch) + (1U << lane_bits); }
  [[nodiscard]] std::uint32_t now() const { return epoch_ << epoch_shift; }

  // False, and some elements noted perhaps, where note_each() has to look; legal accesses too.
  [[nodiscard]] bool note_reads(std::uint32_t* notes, const ActiveIndices& active,
                                const KnownIndices* known);
  [[nodiscard]] bool note_writes(std::uint32_t* notes, const ActiveIndices& active,
                                 const KnownIndices* known);
  /// Remembers the access for later: most often a barrier comes before anybody needs the notes.
  [[nodiscard]] bool note_atomics(std::uint32_t* notes, Touch touch, const ActiveIndices& active);
  [[nodiscard]] bool note_atomics_now(std::uint32_t* notes, Touch touch,
                                      const ActiveIndices& active);
  /// Notes the atomic operations that were left for later.
  void note_later();
  void forget_later() {
    later_.clear();
    copies_.clear();
  }
  /// note() of any access, also again after one of the above.
  void note_each(const Array& array, Touch touch, const ActiveIndices& active,
                 const SourceLine& where);
  /// What an access of `lane` makes of a note of this epoch, 0 for none; or `refused`.
  [[nodiscard]] std::uint32_t after(std::uint32_t note, Touch touch, std::uint32_t lane) const;
  [[nodiscard]] std::string reason(std::uint32_t note, Touch touch) const;

  LaneContext& context_;
  std::string_view name_;
  bool must_be_written_;
  std::int64_t used_ = 0;
  ZeroedMemory memory_;
  std::uint32_t epoch_ = 1;
  std::uint32_t floor_ = 0;             // the smallest note of an element that may be read
  std::vector<std::uint32_t> fetched_;  // notes after a fetch_add, lane by lane
  struct Later {
    Touch touch;
    std::uint32_t* notes;
    ActiveIndices lanes;
  };
  std::vector<Later> later_;  // atomic operations of one kind
  LaneCopies copies_;
};

}  // namespace agpusim
