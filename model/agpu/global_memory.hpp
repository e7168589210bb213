#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <string>
#include <vector>

#include "agpusim/model/agpu/race_detector.hpp"
#include "agpusim/model/agpu/varying.hpp"

namespace agpusim {

/// One array of global memory: block-aligned (theory A13), shared by all multiprocessors.
class GlobalStorage {
 public:
  GlobalStorage(std::string name, std::int64_t size, std::int32_t element_bytes,
                std::int32_t element_words, bool checks);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] std::int32_t element_words() const { return element_words_; }
  [[nodiscard]] std::int64_t words() const { return size_ * element_words_; }
  [[nodiscard]] std::byte* bytes() { return bytes_.get(); }
  [[nodiscard]] RaceDetector* races() { return races_.get(); }

  /// Counts an atomic operation on `element` in `phase`; returns how many this makes.
  std::uint32_t count_atomic(std::uint32_t phase, std::int64_t element);

 private:
  std::string name_;
  std::int64_t size_;
  std::int32_t element_words_;
  std::unique_ptr<std::byte[]> bytes_;
  std::unique_ptr<RaceDetector> races_;
  // Per element: phase in the high half, operations of that phase in the low half. Made on first
  // use.
  std::once_flag contention_once_;
  std::unique_ptr<std::atomic<std::uint64_t>[]> contention_;
};

/// Accesses of the lanes of one task to global memory.
class GlobalAccess {
 public:
  GlobalAccess(LaneContext& context, std::uint32_t phase) : context_(context), phase_(phase) {}

  template <class T>
  Varying<T> read(GlobalStorage& array, std::int64_t origin, const Varying<std::int32_t>& index,
                  const std::source_location& where);
  template <class T>
  void write(GlobalStorage& array, std::int64_t origin, const Varying<std::int32_t>& index,
             const Varying<T>& value, const std::source_location& where);
  /// One read-modify-write per lane; lanes on one word serialise (extension X1).
  template <class T, class F>
  void atomic(GlobalStorage& array, std::int64_t origin, const Varying<std::int32_t>& index,
              const Varying<T>& value, F combine, const std::source_location& where);

  /// K_φ so far: most atomic operations this host thread saw on one word (extension X1).
  [[nodiscard]] std::int64_t contention() const { return contention_; }
  void begin_phase(std::uint32_t phase) {
    if (phase != phase_) contention_ = 0;
    phase_ = phase;
  }

 private:
  const ActiveIndices& access(GlobalStorage& array, std::int64_t origin,
                              const Varying<std::int32_t>& index, GlobalCounts& counts,
                              RaceDetector::Kind kind, const std::source_location& where);
  void charge(GlobalCounts& counts, const GlobalStorage& array, const ActiveIndices& active,
              std::int64_t origin, RaceDetector::Kind kind);
  void note(GlobalStorage& array, std::int64_t origin, const ActiveIndices& active,
            RaceDetector::Kind kind, const std::source_location& where);
  void note_range(GlobalStorage& array, std::int64_t begin, std::int64_t end,
                  RaceDetector::Kind kind, const ActiveIndices& active, std::int64_t origin,
                  const std::source_location& where);
  [[noreturn]] void fail_race(GlobalStorage& array, std::int64_t element, std::int64_t other,
                              RaceDetector::Kind kind, const ActiveIndices& active,
                              std::int64_t origin, const std::source_location& where);
  void count_atomics(GlobalStorage& array, std::int64_t origin, const ActiveIndices& active);

  LaneContext& context_;
  std::uint32_t phase_;
  std::int64_t contention_ = 0;
};

template <class T>
Varying<T> GlobalAccess::read(GlobalStorage& array, std::int64_t origin,
                              const Varying<std::int32_t>& index,
                              const std::source_location& where) {
  const ActiveIndices& active =
      access(array, origin, index, context_.counts.global_read, RaceDetector::Kind::read, where);
  Varying<T> result(context_);
  result.arrives_with(context_.next_read());
  const auto* const data = reinterpret_cast<const T*>(array.bytes()) + origin;
  T* const out = result.data();
  if (context_.full() && active.shape == Shape::ascending) {
    std::memcpy(out, data + active.index[0], static_cast<std::size_t>(active.count) * sizeof(T));
  } else {
    for (std::int32_t i = 0; i < active.count; ++i) out[active.lane[i]] = data[active.index[i]];
  }
  return result;
}

template <class T>
void GlobalAccess::write(GlobalStorage& array, std::int64_t origin,
                         const Varying<std::int32_t>& index, const Varying<T>& value,
                         const std::source_location& where) {
  value.use();
  const ActiveIndices& active =
      access(array, origin, index, context_.counts.global_write, RaceDetector::Kind::write, where);
  auto* const data = reinterpret_cast<T*>(array.bytes()) + origin;
  const T* const in = value.data();
  if (context_.full() && active.shape == Shape::ascending) {
    std::memcpy(data + active.index[0], in, static_cast<std::size_t>(active.count) * sizeof(T));
    return;
  }
  if (active.distinct) {
#pragma GCC ivdep
    for (std::int32_t i = 0; i < active.count; ++i) data[active.index[i]] = in[active.lane[i]];
    return;
  }
  // From the last lane to the first: the lowest lane wins (theory A12, "arbitrary").
  for (std::int32_t i = active.count; i-- > 0;) data[active.index[i]] = in[active.lane[i]];
  if (!context_.checks()) return;
  for (std::int32_t i = 0; i < active.count; ++i) {
    if (data[active.index[i]] != in[active.lane[i]]) {
      context_.fail("two lanes store different values to one word of global memory", active.lane[i],
                    array.name(), origin + active.index[i], where);
    }
  }
}

template <class T, class F>
void GlobalAccess::atomic(GlobalStorage& array, std::int64_t origin,
                          const Varying<std::int32_t>& index, const Varying<T>& value, F combine,
                          const std::source_location& where) {
  static_assert(std::is_integral_v<T>, "an atomic of integers does not depend on the order");
  value.use();
  const ActiveIndices& active = access(array, origin, index, context_.counts.global_atomic,
                                       RaceDetector::Kind::atomic, where);
  count_atomics(array, origin, active);
  auto* const data = reinterpret_cast<T*>(array.bytes()) + origin;
  for (std::int32_t i = 0; i < active.count; ++i) {
    std::atomic_ref<T> cell(data[active.index[i]]);
    const T operand = value.data()[active.lane[i]];
    T seen = cell.load(std::memory_order_relaxed);
    while (!cell.compare_exchange_weak(seen, combine(seen, operand), std::memory_order_relaxed)) {
    }
  }
}

}  // namespace agpusim
