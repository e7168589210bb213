#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "agpusim/model/agpu/lane_order.hpp"

namespace agpusim {

class GlobalStorage;

/// What a task did to one array since the last barrier.
struct ArrayOrder {
  ArrayOrder(LaneContext& context, std::int64_t elements)
      : notes(context, elements, "global", false) {
    notes.use(elements);
  }

  LaneOrder notes;
  std::uint64_t barrier = 0;   ///< number of the last one before it was accessed
  bool by_runs = false;        ///< only by accesses that are not noted yet, all with
  std::int64_t alignment = 0;  ///< this place of the first element among as many as there are lanes
};

/// The order rule of one task (theory A15) in global memory, for one host thread. Only a task that
/// meets an element again can break it, so that nothing is kept of the accesses of a kernel before
/// a task of it does. The first that does runs again as far as it has come, for its notes: nothing
/// that it read has changed by then.
class GlobalOrder {
 public:
  /// What is kept of the accesses of a kernel's tasks.
  enum class Keeps : std::uint8_t {
    nothing,
    runs,  ///< notes; accesses by all lanes to neighbours are noted when others meet them
    notes,
  };
  struct CameAgain {};  ///< thrown where a task that runs again is as far as it was

  /// `run_again` runs the task again and lets its accesses be told to come_again().
  GlobalOrder(LaneContext& context, std::size_t thread, std::function<void()> run_again);

  /// The tasks of a kernel begin, of which this was kept before.
  void begin_phase(Keeps keeps) { keeps_ = keeps; }
  [[nodiscard]] Keeps keeps() const { return keeps_; }
  void begin_task() {
    keeps_now_ = keeps_;
    accesses_ = 0;
    barrier();
  }
  void barrier() {
    ++barriers_;
    runs_ = 0;
  }

  /// An access by all lanes to ascending neighbours from element `first` on; `again`: the task may
  /// have used some of them before. Throws RuleViolation, as note() does.
  void note_run(GlobalStorage& array, Touch touch, std::int64_t first, bool again,
                const SourceLine& where) {
    ++accesses_;
    if (again || keeps_now_ != Keeps::nothing) [[unlikely]]
      note_any(array, touch, first, nullptr, where);
  }
  /// An access of the active lanes to the elements origin + index.
  void note(GlobalStorage& array, Touch touch, std::int64_t origin, const ActiveIndices& active,
            bool again, const SourceLine& where) {
    ++accesses_;
    if (again || keeps_now_ != Keeps::nothing) [[unlikely]]
      note_any(array, touch, origin, &active, where);
  }
  /// An access of a task that runs again.
  void come_again(GlobalStorage& array, Touch touch, std::int64_t origin,
                  const ActiveIndices& active, const SourceLine& where);

 private:
  struct Access {
    GlobalStorage* array;
    std::int64_t first;  ///< element that index 0 is
    Touch touch;
  };
  // `active`: null for all lanes, at ascending neighbours.
  [[gnu::noinline]] void note_any(GlobalStorage& array, Touch touch, std::int64_t first,
                                  const ActiveIndices* active, const SourceLine& where);
  void note_now(LaneOrder& notes, const Access& access, const ActiveIndices* active,
                const SourceLine& where) const;
  /// Notes the runs so far.
  void note_runs(const SourceLine& where);
  /// What is known since the last barrier of the array, by the first access: a run, or not.
  ArrayOrder& order_of(const Access& access, bool is_run);

  LaneContext& context_;
  std::size_t thread_;
  std::function<void()> run_again_;
  std::int64_t alignment_mask_;
  Keeps keeps_ = Keeps::nothing;
  Keeps keeps_now_ = Keeps::nothing;  // what the task at hand keeps
  std::int64_t accesses_ = 0;         // accesses of the task
  std::int64_t left_ = 0;             // accesses that a task that runs again has left
  std::uint64_t barriers_ = 0;
  std::size_t runs_ = 0;  // since the last barrier
  std::array<Access, 256> run_;
};

}  // namespace agpusim
