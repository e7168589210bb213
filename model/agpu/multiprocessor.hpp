#pragma once

#include <concepts>
#include <cstdint>
#include <memory>

#include "agpusim/model/agpu/global_memory.hpp"
#include "agpusim/model/agpu/operators.hpp"
#include "agpusim/model/agpu/shared_memory.hpp"
#include "agpusim/model/agpu/turns.hpp"
#include "agpusim/model/agpu/warp_words.hpp"
#include "agpusim/model/registers.hpp"
#include "agpusim/model/source_line.hpp"

namespace agpusim {

/// A view of shared memory inside a kernel: `T tile[size]`.
template <class T>
class SharedView {
 public:
  using value_type = T;
  using Index = Varying<std::int32_t>;
  SharedView(SharedMemory& memory, const SharedMemory::Array& array)
      : memory_(&memory), array_(array) {}

  [[nodiscard]] Varying<T> read(const Index& index,
                                const SourceLine& where = SourceLine::current()) const {
    return memory_->read<T>(array_, index, where);
  }
  void write(const Index& index, const Varying<T>& value,
             const SourceLine& where = SourceLine::current()) const {
    memory_->write<T>(array_, index, value, where);
  }
  /// Elements index .. index + count - 1 of each lane as one access of count·sizeof(T) = 8 or 16
  /// bytes; index is a multiple of `count` (extension X6).
  template <std::int32_t count>
  requires WideAccess<T, count>
  [[nodiscard]] Registers<Varying<T>, count> read_wide(
      const Index& index, const SourceLine& where = SourceLine::current()) const {
    return memory_->read_wide<count, T>(array_, index, where);
  }
  template <std::int32_t count>
  requires WideAccess<T, count>
  void write_wide(const Index& index, const Registers<Varying<T>, count>& value,
                  const SourceLine& where = SourceLine::current()) const {
    memory_->write_wide<count, T>(array_, index, value, where);
  }
  void atomic_add(const Index& index, const Varying<T>& value,
                  const SourceLine& where = SourceLine::current()) const {
    memory_->atomic<AtomicAdd>(array_, index, value, where);
  }
  void atomic_max(const Index& index, const Varying<T>& value,
                  const SourceLine& where = SourceLine::current()) const {
    memory_->atomic<AtomicMax>(array_, index, value, where);
  }
  void atomic_min(const Index& index, const Varying<T>& value,
                  const SourceLine& where = SourceLine::current()) const {
    memory_->atomic<AtomicMin>(array_, index, value, where);
  }
  /// Adds and returns what was there before. Words that lanes of two warps, or two lanes at once,
  /// add to between two sync() would be in no certain order.
  [[nodiscard]] Varying<T> fetch_add(const Index& index, const Varying<T>& value,
                                     const SourceLine& where = SourceLine::current()) const {
    return memory_->fetch_add<T>(array_, index, value, where);
  }
  [[nodiscard]] std::int32_t size() const { return array_.size; }

  // Indices and values of other types: the compiler's error says what to write.
  template <class I>
  detail::BadIndex read(const I& index) const = delete;
  template <class I, class X>
  detail::BadAccess write(const I& index, const X& value) const = delete;
  template <class I, class X>
  detail::BadAccess atomic_add(const I& index, const X& value) const = delete;
  template <class I, class X>
  detail::BadAccess atomic_max(const I& index, const X& value) const = delete;
  template <class I, class X>
  detail::BadAccess atomic_min(const I& index, const X& value) const = delete;

 private:
  SharedMemory* memory_;
  SharedMemory::Array array_;
};

/// A view of global memory inside a kernel. Lane indices are 32-bit and relative to a 64-bit
/// origin, so that arrays may be larger than 2^31 elements.
template <class T>
class GlobalView {
 public:
  using value_type = T;
  using Index = Varying<std::int32_t>;
  GlobalView(GlobalAccess& access, GlobalStorage& storage, std::int64_t origin)
      : access_(&access), storage_(&storage), origin_(origin) {}

  /// A view of the array seen from element `offset` on.
  [[nodiscard]] GlobalView from(std::int64_t offset) const {
    access_->count_view();
    return {*access_, *storage_, origin_ + offset};
  }
  [[nodiscard]] Varying<T> read(const Index& index,
                                const SourceLine& where = SourceLine::current()) const {
    return access_->read<T>(*storage_, origin_, index, where);
  }
  void write(const Index& index, const Varying<T>& value,
             const SourceLine& where = SourceLine::current()) const {
    access_->write<T>(*storage_, origin_, index, value, where);
  }
  /// Elements index .. index + count - 1 of each lane as one access of count·sizeof(T) = 8 or 16
  /// bytes; it begins at a multiple of `count` of the array (extension X6).
  template <std::int32_t count>
  requires WideAccess<T, count>
  [[nodiscard]] Registers<Varying<T>, count> read_wide(
      const Index& index, const SourceLine& where = SourceLine::current()) const {
    return access_->read_wide<count, T>(*storage_, origin_, index, where);
  }
  template <std::int32_t count>
  requires WideAccess<T, count>
  void write_wide(const Index& index, const Registers<Varying<T>, count>& value,
                  const SourceLine& where = SourceLine::current()) const {
    access_->write_wide<count, T>(*storage_, origin_, index, value, where);
  }
  void atomic_add(const Index& index, const Varying<T>& value,
                  const SourceLine& where = SourceLine::current()) const {
    access_->atomic<AtomicAdd>(*storage_, origin_, index, value, where);
  }
  void atomic_max(const Index& index, const Varying<T>& value,
                  const SourceLine& where = SourceLine::current()) const {
    access_->atomic<AtomicMax>(*storage_, origin_, index, value, where);
  }
  void atomic_min(const Index& index, const Varying<T>& value,
                  const SourceLine& where = SourceLine::current()) const {
    access_->atomic<AtomicMin>(*storage_, origin_, index, value, where);
  }

  // Indices and values of other types: the compiler's error says what to write.
  template <class I>
  detail::BadIndex read(const I& index) const = delete;
  template <class I, class X>
  detail::BadAccess write(const I& index, const X& value) const = delete;
  template <class I, class X>
  detail::BadAccess atomic_add(const I& index, const X& value) const = delete;
  template <class I, class X>
  detail::BadAccess atomic_max(const I& index, const X& value) const = delete;
  template <class I, class X>
  detail::BadAccess atomic_min(const I& index, const X& value) const = delete;

 private:
  GlobalAccess* access_;
  GlobalStorage* storage_;
  std::int64_t origin_;
};

/// The multiprocessor of the abstract machine: gives a kernel's vocabulary its counted meaning.
/// `uniform` values are plain C++; `varying` values are Varying<T>.
class SimulatedMp {
 public:
  template <class T>
  using Lane = Varying<T>;

  SimulatedMp(LaneContext& context, SharedMemory& shared, GlobalAccess& global)
      : context_(&context), shared_(&shared), global_(&global) {}

  /// The number of the lane, 0..V-1. A register every lane has: free.
  [[nodiscard]] Varying<std::int32_t> lane() const {
    Varying<std::int32_t> result(*context_);
    copy_lanes(context_->lane_numbers(), result.data(), context_->padded());
    context_->note_ascending(result.id());
    return result;
  }
  /// V, the lanes of a task.
  [[nodiscard]] std::int32_t width() const { return context_->width(); }
  /// b, the lanes of a warp.
  [[nodiscard]] std::int32_t warp_width() const { return context_->spec().block_words; }
  /// The number of the task in its phase.
  [[nodiscard]] std::int64_t task() const { return context_->task(); }

  /// Lanes whose elements of type T one pass over the b banks serves: b divided by the words that a
  /// T touches, at least 1. So many elements that are whole words fill a block of global memory.
  template <class T>
  [[nodiscard]] std::int32_t lanes_per_pass() const {
    const AgpuSpec& spec = context_->spec();
    return std::max(1, spec.block_words / spec.words_per_element(sizeof(T)));
  }

  /// The turns of a loop whose turns cost the same.
  [[nodiscard]] Turns turns() const { return Turns(*context_); }

  /// One value in every lane. A constant operand: free.
  template <class T>
  [[nodiscard]] Varying<T> varying(T value) const {
    Varying<T> result(*context_);
    std::fill_n(result.data(), context_->padded(), value);
    return result;
  }

  /// The value on whose bits all active lanes agree; throws RuleViolation when they do not.
  template <class T>
  [[nodiscard]] T uniform(const Varying<T>& value,
                          const SourceLine& where = SourceLine::current()) const {
    value.use();
    if (LoneTask* const lone = context_->lone()) lone->decide(value.arrives());
    observe_control(where);
    const std::uint8_t* const mask = context_->mask().bytes;
    std::int32_t first = -1;
    for (std::int32_t i = 0; i < context_->width(); ++i) {
      if (mask[i] == 0) continue;
      if (first < 0) first = i;
      if (!same_bits(value.data()[i], value.data()[first])) {
        context_->fail("uniform() of a value on which the active lanes differ", i, where);
      }
    }
    return first < 0 ? T{} : static_cast<T>(value.data()[first]);
  }

  /// Runs `then` for the lanes where `condition` holds (predication, R6).
  template <class Then>
  void when(const Varying<bool>& condition, Then then,
            const SourceLine& where = SourceLine::current()) const {
    under(condition, true, then, where);
  }
  /// Runs both sides, one after the other, each with its lanes.
  template <class Then, class Otherwise>
  requires std::invocable<Otherwise>
  void when(const Varying<bool>& condition, Then then, Otherwise otherwise,
            const SourceLine& where = SourceLine::current()) const {
    Varying<bool> others(*context_);  // before the first side may change the condition
    combine(condition, context_->mask(), false, others);
    under(condition, true, then, where);
    under_lanes(others, otherwise, where);
  }
  /// Repeats `body` for the lanes where `condition()` still holds until none is left.
  template <class Condition, class Body>
  void while_any(Condition condition, Body body,
                 const SourceLine& where = SourceLine::current()) const {
    const Mask enclosing = context_->mask();
    Varying<bool> going(*context_);
    combine(varying(true), enclosing, true, going);
    context_->push(going.data());
    LoneTask* const lone = context_->lone();
    const Moments outer = lone == nullptr ? Moments{} : lone->begin_loop();
    while (context_->mask().active > 0) {
      combine(condition(), context_->mask(), true, going);
      if (lone != nullptr) lone->round(context_->mask().issued_warps, going.arrives());
      context_->push(going.data());
      observe_control(where);
      if (context_->mask().active > 0) body();
    }
    context_->pop(enclosing);
    if (lone != nullptr) lone->end_loop(outer);
  }

  /// Bit i: whether `condition` holds in lane i of the warp, which has at most 32. One instruction
  /// that all lanes of the warp must reach.
  [[nodiscard]] Varying<std::uint32_t> vote(const Varying<bool>& condition,
                                            const SourceLine& where = SourceLine::current()) const {
    return agpusim::vote(condition, where);
  }
  /// `value` of lane `source` of the same warp, 0 <= source < b. One instruction that all lanes of
  /// the warp must reach.
  template <class T>
  [[nodiscard]] Varying<T> shuffle(const Varying<T>& value, const Varying<std::int32_t>& source,
                                   const SourceLine& where = SourceLine::current()) const {
    return agpusim::shuffle(value, source, where);
  }

  /// Orders shared-memory accesses between lanes. Free on AGPU (an MP is lockstep, theory A15).
  void sync(const SourceLine& where = SourceLine::current()) const {
    if (!context_->full() && !context_->replays()) {
      context_->fail("sync() under divergent control flow: all lanes must reach it", first_active(),
                     where);
    }
    if (LoneTask* const lone = context_->lone()) lone->sync();
    shared_->sync();
    global_->barrier();
    if (context_->observed()) [[unlikely]]
      context_->observe(InstructionKind::sync, where);
  }

  /// Reserves `size` elements of shared memory, undefined at the start of a task (theory A16).
  template <class T>
  [[nodiscard]] SharedView<T> shared(std::int32_t size, const char* name = "shared") {
    return {*shared_, shared_->allocate(size, sizeof(T), name)};
  }

 private:
  friend class SimulatedDevice;  // makes views of global memory

  static void combine(const Varying<bool>& condition, const Mask& mask, bool wanted,
                      Varying<bool>& out) {
    condition.use();
    if (condition.context().lone() != nullptr) out.arrives() = condition.arrives();
    const std::uint8_t expected = wanted ? 1 : 0;
    std::uint8_t* const to = out.data();
    const std::uint8_t* const from = condition.data();
    const std::uint8_t* const bytes = mask.bytes;
    for (std::int32_t i = 0, n = condition.context().padded(); i < n; i += 16) {
      for (std::int32_t j = i; j < i + 16; ++j) {
        to[j] =
            static_cast<std::uint8_t>(bytes[j] & static_cast<std::uint8_t>(from[j] == expected));
      }
    }
  }

  template <class Body>
  void under(const Varying<bool>& condition, bool wanted, Body& body,
             const SourceLine& where) const {
    Varying<bool> lanes(*context_);
    combine(condition, context_->mask(), wanted, lanes);
    under_lanes(lanes, body, where);
  }

  template <class Body>
  void under_lanes(const Varying<bool>& lanes, Body& body, const SourceLine& where) const {
    LoneTask* const lone = context_->lone();
    const Moments outer =
        lone == nullptr ? Moments{} : lone->guard(context_->mask().issued_warps, lanes.arrives());
    const Mask enclosing = context_->push(lanes.data());
    observe_control(where);
    const bool runs_empty = !context_->spec().skip_empty && !context_->replays();
    if (context_->mask().active > 0 || runs_empty) body();
    context_->pop(enclosing);
    if (lone != nullptr) lone->end_guard(outer);
  }

  void observe_control(const SourceLine& where) const {
    if (context_->observed()) [[unlikely]]
      context_->observe(InstructionKind::control, where);
  }

  [[nodiscard]] std::int32_t first_active() const {
    std::int32_t i = 0;
    while (i + 1 < context_->width() && context_->mask().bytes[i] == 0) ++i;
    return i;
  }

  LaneContext* context_;
  SharedMemory* shared_;
  GlobalAccess* global_;
};

}  // namespace agpusim
