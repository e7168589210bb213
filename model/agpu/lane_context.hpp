#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agpusim/model/agpu/counts.hpp"
#include "agpusim/model/agpu/lane_pool.hpp"
#include "agpusim/model/agpu/lone_task.hpp"
#include "agpusim/model/agpu/observer.hpp"
#include "agpusim/model/agpu/pricing.hpp"
#include "agpusim/model/agpu/spec.hpp"
#include "agpusim/model/source_line.hpp"

namespace agpusim {

/// The lanes that take effect (R6). `bytes[i]` is 1 for an active lane; padding lanes are 0.
struct Mask {
  const std::uint8_t* bytes = nullptr;
  std::int32_t active = 0;        ///< active lanes
  std::int32_t issued_warps = 0;  ///< warps that issue an instruction under this mask
  std::int32_t active_warps = 0;  ///< warps with at least one active lane
  std::uint64_t id = 0;           ///< differs between masks of one task
};

/// The indices of one access, active lanes only, in lane order, and what one pass over them tells.
struct ActiveIndices {
  const std::int32_t* index = nullptr;
  const std::int32_t* lane = nullptr;
  std::int32_t count = 0;
  const std::int32_t* warp_begin = nullptr;  ///< warps + 1 offsets into `index`
  Shape shape = Shape::general;              ///< shape of the whole access
  bool distinct = false;                     ///< known: no two indices are equal
  std::int32_t low = 0;                      ///< smallest index
  std::int32_t high = 0;                     ///< largest index
};

/// What is known of the indices of the first lanes but where they begin: programs use few such
/// patterns, again and again from other places.
struct KnownIndices {
  std::int32_t count = 0;            ///< lanes; 0: nothing is known yet
  std::uint32_t met = 0;             ///< hash of the indices that were last looked for here
  std::vector<std::int32_t> offset;  ///< offset of each lane's index from that of lane 0
  /// The lane of each index from the smallest to the largest, -1 for none, and more -1 behind them;
  /// empty where there are many of these or lanes share an index.
  std::vector<std::int32_t> lane_at;
  bool distinct = false;
  std::int32_t low = 0;  ///< smallest offset
  std::int32_t high = 0;
  bool priced = false;  ///< for shared memory, elements of one word
  SharedCounts shared;
  /// In global memory, elements of `global_size`, by where the first of them lies in a unit of
  /// PricingRules::period(); without requests: not known yet.
  std::vector<GlobalCounts> global;
  ElementSize global_size{0, 0};
};

/// An index value under a mask. Programs use most of them twice, to read and to write one place;
/// what is known of the first use serves the second.
struct AccessPattern {
  std::uint64_t index_id = 0;
  std::uint64_t mask_id = 0;
  ActiveIndices active;
  KnownIndices* known = nullptr;  ///< where the first lanes are active and the shape is general
  std::int64_t shared_base = -1;  ///< word address the shared price below was made for, -1: none
  ElementSize shared_size;        ///< size of an element it was made for
  bool shared_load = false;       ///< whether it was made for a load
  SharedCounts shared;            ///< the price of the access in shared memory
  std::vector<std::int32_t> packed_index;
  std::vector<std::int32_t> packed_lane;
  std::vector<std::int32_t> packed_begin;
};

/// State of the lanes of one task: the mask, the storage and the counters. One per host thread.
class LaneContext {
 public:
  LaneContext(const AgpuSpec& spec, bool checks, bool pricing, bool derives = false,
              bool execution = false, Observer* observer = nullptr);
  LaneContext(const LaneContext&) = delete;
  LaneContext& operator=(const LaneContext&) = delete;

  void begin_task(std::string_view kernel, std::int64_t task);

  [[nodiscard]] const AgpuSpec& spec() const { return spec_; }
  [[nodiscard]] PricingRules& rules() { return rules_; }
  [[nodiscard]] bool checks() const { return checks_; }
  [[nodiscard]] bool pricing() const { return pricing_; }
  /// Whether tasks run without data, as examples of others (SimulationOptions::derive).
  [[nodiscard]] bool derives() const { return derives_; }
  [[nodiscard]] std::int32_t width() const { return spec_.width; }
  [[nodiscard]] std::int32_t warps() const { return warps_; }
  /// Lanes rounded up to the vector chunk; every loop over lane storage runs to here.
  [[nodiscard]] std::int32_t padded() const { return padded_; }
  [[nodiscard]] LanePool& pool() { return pool_; }
  [[nodiscard]] const Mask& mask() const { return mask_; }
  [[nodiscard]] bool full() const { return mask_.active == spec_.width; }
  [[nodiscard]] std::int64_t task() const { return task_; }
  [[nodiscard]] std::string_view kernel() const { return kernel_; }
  [[nodiscard]] const std::int32_t* lane_numbers() const { return lanes_.data(); }

  Counts counts;           ///< costs of the current task
  std::int32_t parts = 1;  ///< most elements of one array of a derived phase that share a word
  /// The task as hardware executes it; null where that is not counted.
  [[nodiscard]] LoneTask* lone() const { return lone_.get(); }

  /// Charges one arithmetic instruction under the current mask.
  void count_alu() {
    counts.alu += mask_.issued_warps;
    counts.active_lanes += mask_.active;
  }
  /// Tells the task as hardware executes it, and an observer, of the operation on lanes of T that
  /// made `result` of `operands`.
  template <class T, class Result, class... Operand>
  void made(Op op, const SourceLine& where, Result& result, const Operand&... operands) {
    if (watched()) [[unlikely]]
      tell<T>(op, where, result, operands...);
  }
  /// The operation, on 32-bit lanes or `wide` ones, as hardware executes it, where that is counted.
  void execute(Op op, bool wide, Arrival& result, std::initializer_list<const Arrival*> operands);

  /// Whether instructions are told to somebody: to lone(), to the observer, or to both.
  [[nodiscard]] bool watched() const { return watched_; }
  /// Whether there is an observer.
  [[nodiscard]] bool observed() const { return observer_ != nullptr; }
  /// Tells the observer, who is there, of the instruction that was charged last.
  void observe(InstructionKind kind, const SourceLine& where, LaneValues values = {},
               const AccessedArray* array = nullptr, const ActiveIndices* indices = nullptr,
               std::int64_t origin = 0);

  /// Tells an observer of a result that comes from memory or from other lanes.
  template <class T>
  void observe_result(T* lanes) {
    if (observed()) [[unlikely]]
      observer_->result(lanes, sizeof(T), mask_);
  }
  /// Tells another observer, or null, from now on; returns the one before.
  Observer* watch(Observer* observer);
  /// Lets each task that begins run for `lanes` alone, without rules, prices or stores to global
  /// memory, until this is null; with a record of what it reads, without any stores.
  void replay(const std::uint8_t* lanes, bool has_record = false);
  [[nodiscard]] bool replays() const { return replayed_ != nullptr; }
  [[nodiscard]] bool has_record() const { return has_record_; }

  /// The number of a new global read. Values remember the read they come from.
  [[nodiscard]] std::uint64_t next_read() { return ++last_read_; }
  /// An instruction uses a value of read number `read`, 0 for none: unless that read is known to
  /// have arrived, the task waits, and with it everything issued so far arrives.
  void use(std::uint64_t read) {
    if (read <= arrived_read_) return;
    arrived_read_ = last_read_;
    ++counts.rounds;
  }

  /// Makes `bytes` (already combined with the enclosing mask) the mask; returns the enclosing one.
  Mask push(const std::uint8_t* bytes);
  void pop(const Mask& enclosing) { mask_ = enclosing; }

  /// The number of a new lane value; no two values of a context share one.
  [[nodiscard]] std::uint64_t next_value() { return ++last_value_; }

  /// Notes that the value `id` is a, a+1, a+2, ... over the lanes, modulo 2^32.
  void note_ascending(std::uint64_t id) { ascending_values_[id % ascending_values_.size()] = id; }
  /// Notes a sum or difference as ascending if its varying operand is.
  void keep_ascending(std::uint64_t operand, std::uint64_t sum) {
    if (is_ascending(operand)) note_ascending(sum);
  }
  /// Whether all lanes are active and the places `index`, the value `id`, are ascending neighbours.
  [[nodiscard]] bool is_run(const std::int32_t* index, std::uint64_t id) const {
    return full() && index[0] <= std::numeric_limits<std::int32_t>::max() - spec_.width &&
           (is_ascending(id) || have_unit_step(index, spec_.width));
  }
  /// Whether that is known of a value; of the latest ones it is.
  [[nodiscard]] bool is_ascending(std::uint64_t id) const {
    return ascending_values_[id % ascending_values_.size()] == id;
  }

  /// The access by the active lanes to the places `index`, the value number `index_id`; valid until
  /// the second call after this one.
  AccessPattern& access(const std::int32_t* index, std::uint64_t index_id);
  /// The access by all lanes to ascending neighbours from index[0] on; valid until the next call.
  AccessPattern& ascending(const std::int32_t* index) {
    ActiveIndices& active = ascending_.active;
    active.index = index;
    active.low = index[0];
    active.high = index[0] + (spec_.width - 1);
    return ascending_;
  }

  /// The shape of the part of an access that one warp makes.
  [[nodiscard]] Shape shape_of_warp(const ActiveIndices& active, std::int32_t warp) const;

  /// Throws RuleViolation naming kernel, task, lane, array, index and source line.
  [[noreturn]] void fail(std::string_view rule, std::int32_t lane, std::string_view array,
                         std::int64_t index, const SourceLine& where) const;
  /// Same for a rule that concerns no array.
  [[noreturn]] void fail(std::string_view rule, std::int32_t lane, const SourceLine& where) const;

 private:
  template <class T, class Result, class... Operand>
  [[gnu::noinline]] void tell(Op op, const SourceLine& where, Result& result,
                              const Operand&... operands) {
    execute(op_on<T>(op), sizeof(T) > 4, result.arrives(), {arrival_of(operands)...});
    if (observed())
      observe(InstructionKind::arithmetic, where, LaneValues::of(std::as_const(result).data()));
  }
  [[nodiscard]] static bool have_unit_step(const std::int32_t* index, std::int32_t width);
  void pack(AccessPattern& pattern, const std::int32_t* index) const;
  void describe_first_lanes(AccessPattern& pattern);
  /// When a varying operand arrives; null for a uniform one.
  template <class X>
  static const Arrival* arrival_of(const X& operand) {
    if constexpr (requires { operand.arrives(); }) {
      return &operand.arrives();
    } else {
      return nullptr;
    }
  }
  [[noreturn]] void fail(const std::string& message, const SourceLine& where) const;

  AgpuSpec spec_;
  PricingRules rules_;
  const bool wants_checks_;
  const bool wants_pricing_;
  bool checks_;
  bool pricing_;
  const std::uint8_t* replayed_ = nullptr;
  bool derives_;
  bool has_record_ = false;
  Observer* observer_;
  Counts observed_;     // `counts` as the observer knows them
  std::int32_t warps_;  // a member: it is a quotient, and asked for by each access
  std::int32_t padded_;
  LanePool pool_;
  std::unique_ptr<LoneTask> lone_;
  bool watched_;
  std::vector<std::uint8_t> full_bytes_;
  std::vector<std::int32_t> lanes_;       // 0, 1, 2, ...
  std::vector<std::int32_t> full_begin_;  // 0, b, 2b, ...
  AccessPattern patterns_[2];
  int oldest_pattern_ = 0;
  AccessPattern ascending_;
  std::array<std::uint64_t, 32> ascending_values_{};
  std::vector<KnownIndices> known_ =
      std::vector<KnownIndices>(256);  // by the hash of their offsets
  std::uint64_t last_value_ = 0;
  std::uint64_t last_mask_ = 0;
  std::uint64_t last_read_ = 0;
  std::uint64_t arrived_read_ = 0;
  Mask mask_;
  std::string_view kernel_;
  std::int64_t task_ = 0;
};

}  // namespace agpusim
