#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "agpusim/model/agpu/lane_order.hpp"

namespace agpusim {

class GlobalStorage;

/// The order rule of one task (theory A15) in global memory, for one host thread. Accesses since
/// the last barrier are remembered as they came; notes of elements are made of them only where the
/// task meets an element again, or accesses many times without a barrier.
class GlobalOrder {
 public:
  GlobalOrder(LaneContext& context, std::size_t thread)
      : context_(context), thread_(thread), copies_(context.lane_numbers()) {}

  /// A task begins, or a barrier passes.
  void barrier() {
    clear();
    noted_.clear();
    room_ = most;
  }
  /// An access by all lanes to ascending neighbours from element `first` on; `again`: the task may
  /// have used some of them before. Throws RuleViolation, as note() does.
  void note_run(GlobalStorage& array, Touch touch, std::int64_t first, bool again,
                const SourceLine& where) {
    if (again || size_ >= room_) [[unlikely]] {
      return note_any({&array, first, no_lanes, touch}, {}, 0, 0, again, where);
    }
    log_[size_++] = {&array, first, no_lanes, touch};
  }
  /// An access of the active lanes to the elements origin + index; `index_id` and `mask_id` number
  /// the indices and the mask, 0 where they are not known.
  void note(GlobalStorage& array, Touch touch, std::int64_t origin, const ActiveIndices& active,
            std::uint64_t index_id, std::uint64_t mask_id, bool again, const SourceLine& where) {
    if (again || size_ >= room_ || !copies_.has_room(active.count)) [[unlikely]] {
      return note_any({&array, origin, 0, touch}, active, index_id, mask_id, again, where);
    }
    remember({&array, origin, 0, touch}, active, index_id, mask_id);
  }

 private:
  struct Access {
    GlobalStorage* array = nullptr;
    std::int64_t first = 0;   ///< element that index 0 is
    std::uint32_t lanes = 0;  ///< number in lanes_; no_lanes: of all lanes, to ascending neighbours
    Touch touch = Touch::read;
  };
  struct Lanes {
    std::uint64_t index_id = 0;
    std::uint64_t mask_id = 0;
    ActiveIndices active;
  };
  void note_any(const Access& access, const ActiveIndices& active, std::uint64_t index_id,
                std::uint64_t mask_id, bool again, const SourceLine& where);
  void remember(Access access, const ActiveIndices& active, std::uint64_t index_id,
                std::uint64_t mask_id) {
    access.lanes = static_cast<std::uint32_t>(used_lanes_);
    lanes_[used_lanes_++] = {index_id, mask_id, copies_.copy(active)};
    log_[size_++] = access;
  }
  /// Whether every access in the log to the array goes from the same lanes to the same elements.
  [[nodiscard]] bool is_like_all(const Access& access, std::uint64_t index_id,
                                 std::uint64_t mask_id) const;
  /// The notes of an array; null where it has none yet.
  [[nodiscard]] LaneOrder* notes_of(const GlobalStorage& array) const;
  LaneOrder& make_notes(GlobalStorage& array, const SourceLine& where);
  void note_in(LaneOrder& order, const Access& access, const ActiveIndices& active,
               const SourceLine& where) const;
  void clear() {
    size_ = used_lanes_ = 0;
    copies_.clear();
  }

  static constexpr std::size_t most = 256;  // accesses; of more, notes take less time
  static constexpr std::uint32_t no_lanes = ~0U;

  LaneContext& context_;
  std::size_t thread_;
  std::size_t room_ = most;  // 0 where notes are made
  std::size_t size_ = 0;
  std::size_t used_lanes_ = 0;
  std::vector<Access> log_ = std::vector<Access>(most);
  std::vector<Lanes> lanes_ = std::vector<Lanes>(most);
  LaneCopies copies_;
  std::vector<std::pair<const GlobalStorage*, LaneOrder*>> noted_;
};

}  // namespace agpusim
