#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "agpusim/model/agpu/lane_context.hpp"
#include "agpusim/model/agpu/observer.hpp"
#include "agpusim/model/source_line.hpp"

namespace agpusim {

/// Whether a task means here what it means on CUDA, where each lane is a thread with plain C++
/// variables of its own (theory X7). A task is recorded, and run again for the lanes alone that
/// took one way through its when() and while_any(): what they read comes from the record, and what
/// they access and store must be what it says.
class ThreadCheck final : public Observer {
 public:
  /// Records the task that begins next, until its accesses have so many lanes; `context` goes on
  /// telling its observer.
  void begin(LaneContext& context, std::size_t most_lanes);
  /// Ends the record, if there is one.
  void end();
  /// Compares the record with `task`, which begins the same task and runs it; throws RuleViolation.
  /// `splits`: each way runs, not the first three, and each two lanes once without one another.
  void compare(LaneContext& context, const std::function<void()>& task, bool splits);
  /// Compares it with `task` for all lanes, while memory holds other words.
  void compare_all(LaneContext& context, const std::function<void()>& task);

  void begin_task(std::int64_t task) override;
  void instruction(const Instruction& instruction) override;
  void result(void* lanes, std::size_t bytes, const Mask& mask) override;
  void violation(const SourceLine& where, const std::string& message) override;

 private:
  struct LaneRecord {
    std::int32_t lane;
    std::int64_t index;  ///< index of the element, 0 for a result
    std::uint64_t bits;  ///< what is stored, or the result

    friend bool operator==(const LaneRecord&, const LaneRecord&) = default;
  };
  /// An access, or a result that comes from memory or from other lanes.
  struct Event {
    const void* array = nullptr;
    std::string_view name;
    SourceLine where;
    std::size_t end = 0;       ///< end of its lanes in lanes_
    std::size_t controls = 0;  ///< when() and while_any() before it
  };
  struct Recorded {};  ///< thrown where the record ends before the task

  /// The lanes of an access or a result, added to `to`.
  static void add_lanes(const Instruction& access, std::vector<LaneRecord>& to);
  void add(Event event);
  /// The next recorded event of the lanes that run again; null where there is none.
  const Event* next_event();
  [[nodiscard]] std::span<const LaneRecord> lanes_of(const Event& event) const;
  [[nodiscard]] bool runs_again(const LaneRecord& one) const {
    return again_[static_cast<std::size_t>(one.lane)] != 0;
  }
  /// Fails since the lanes that run again do not come to this recorded event.
  [[noreturn]] void fail_missing(const Event& event) const;
  void match(const Event& event);  // and access_
  /// Compares the record with `task` for the lanes of again_; `why` begins a message.
  void run_again(LaneContext& context, const std::function<void()>& task, const char* why);
  [[noreturn]] void fail(const std::string& what, const Event& event, std::int64_t index) const;

  LaneContext* context_ = nullptr;
  Observer* next_ = nullptr;
  bool records_ = false;
  bool compares_ = false;
  mutable bool failed_ = false;  // by a difference
  bool is_full_ = false;
  std::size_t most_lanes_ = 0;
  std::vector<Event> events_;
  std::vector<LaneRecord> lanes_;
  std::vector<SourceLine> controls_;  // each when() and turn of while_any()
  std::vector<std::uint8_t> active_;  // the lanes of each
  std::vector<std::uint64_t> way_;    // hash of each lane's when() and while_any()
  // The comparison:
  std::vector<std::uint8_t> again_;  // the lanes that run again
  std::vector<LaneRecord> access_;   // what these lanes access
  std::int32_t first_ = 0;           // the first of these lanes
  const char* why_ = "";             // what a message begins with
  std::size_t event_ = 0;
  std::size_t seen_controls_ = 0;
};

}  // namespace agpusim
