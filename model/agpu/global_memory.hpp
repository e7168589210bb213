#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "agpusim/model/agpu/atomic_tally.hpp"
#include "agpusim/model/agpu/global_order.hpp"
#include "agpusim/model/agpu/lane_copy.hpp"
#include "agpusim/model/agpu/neighbours.hpp"
#include "agpusim/model/agpu/race_detector.hpp"
#include "agpusim/model/agpu/varying.hpp"
#include "agpusim/model/agpu/word_arithmetic.hpp"
#include "agpusim/model/agpu/zeroed_memory.hpp"
#include "agpusim/model/registers.hpp"
#include "agpusim/model/source_line.hpp"

namespace agpusim {

/// How often atomic operations met in a phase (extension X1).
struct AtomicMeetings {
  std::int64_t contention = 0;  ///< most operations on one element
  std::int64_t blocks = 0;      ///< blocks that any of them touched
};

/// One array of global memory: block-aligned (theory A13), shared by all multiprocessors. It takes
/// the host's memory when it is made ready, so that a program that cannot run is refused before.
/// Until then reads are 1 and writes go nowhere, as where counts are derived.
class GlobalStorage {
 public:
  /// `threads`: host threads that may access it.
  GlobalStorage(std::string name, std::int64_t size, std::int32_t element_bytes,
                const AgpuSpec& spec, bool checks, std::size_t threads, std::size_t place = 0);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] ElementSize element_size() const { return element_size_; }
  [[nodiscard]] std::int32_t element_bytes() const { return element_bytes_; }
  /// Where its traffic is counted, below traffic_places.
  [[nodiscard]] std::size_t place() const { return place_; }
  [[nodiscard]] std::int64_t words() const { return element_size_.words_of(size_); }
  /// What it takes of the host's memory, but for atomic operations.
  [[nodiscard]] std::int64_t host_bytes() const;
  /// Lets all host threads share what is known of accesses, which takes less memory and more time;
  /// false where they do. Before it is made ready.
  bool save_host_bytes();
  /// Before the first access to its elements; not from several threads.
  void make_ready();
  /// Before a phase of `tasks` tasks that may access it.
  void begin_phase(std::int64_t tasks);
  /// Null until then.
  [[nodiscard]] std::byte* bytes() { return bytes_.data(); }
  /// Where element `element` is.
  [[nodiscard]] const std::byte* element(std::int64_t element) const {
    return bytes_.data() + element * element_bytes_;
  }
  /// What is known of the accesses of a host thread; null without checks.
  [[nodiscard]] RaceDetector* races(std::size_t thread) {
    return checks_ ? races_[thread & group_mask_].get() : nullptr;
  }
  /// The notes of a host thread's task.
  [[nodiscard]] ArrayOrder& order(std::size_t thread, LaneContext& context);
  /// Notes of its atomic operations; made when the first asks for them.
  [[nodiscard]] AtomicTally& tally(std::size_t thread);
  /// Whether several host threads access it.
  [[nodiscard]] bool concurrent() const { return threads_ > 1; }

  /// After a phase: an element that tasks of different host threads made a race of, and neither was
  /// refused, or RaceDetector::nobody.
  [[nodiscard]] std::int64_t race_of_threads() const;
  /// How often atomic operations met in the phase.
  [[nodiscard]] AtomicMeetings meetings() const;

 private:
  std::string name_;
  std::int64_t size_;
  std::int32_t element_bytes_;
  ElementSize element_size_;
  std::int32_t block_words_;
  bool checks_;
  std::size_t place_;
  ZeroedMemory bytes_;
  [[nodiscard]] bool shares_records() const { return threads_ > group_mask_ + 1; }

  std::size_t threads_;
  std::size_t group_mask_;  // thread i uses records i & group_mask_: its own, or all the same
  std::vector<std::unique_ptr<RaceDetector>> races_;
  std::vector<std::unique_ptr<ArrayOrder>> orders_;  // one for each host thread that needs it
  std::once_flag tallies_once_;
  std::vector<std::unique_ptr<AtomicTally>> tallies_;
};

/// Accesses of the lanes of one task to global memory.
class GlobalAccess {
 public:
  /// Accesses by the host thread `thread`; `run_again` as GlobalOrder has it.
  GlobalAccess(LaneContext& context, std::size_t thread, std::function<void()> run_again)
      : context_(context), thread_(thread), order_(context, thread, std::move(run_again)) {}

  template <class T>
  Varying<T> read(GlobalStorage& array, std::int64_t origin, const Varying<std::int32_t>& index,
                  const SourceLine& where);
  template <class T>
  void write(GlobalStorage& array, std::int64_t origin, const Varying<std::int32_t>& index,
             const Varying<T>& value, const SourceLine& where);
  /// One access to `count` neighbours of each lane, from element origin + index on (extension X6).
  template <std::int32_t count, class T>
  Registers<Varying<T>, count> read_wide(GlobalStorage& array, std::int64_t origin,
                                         const Varying<std::int32_t>& index,
                                         const SourceLine& where);
  template <std::int32_t count, class T>
  void write_wide(GlobalStorage& array, std::int64_t origin, const Varying<std::int32_t>& index,
                  const Registers<Varying<T>, count>& value, const SourceLine& where);
  /// One read-modify-write per lane; lanes on one word serialise (extension X1).
  template <class Operation, AtomicWord T>
  void atomic(GlobalStorage& array, std::int64_t origin, const Varying<std::int32_t>& index,
              const Varying<T>& value, const SourceLine& where);

  /// A view with another origin was made.
  void count_view() {
    if (LoneTask* const lone = context_.lone()) lone->view();
  }
  /// Tasks of a kernel begin, of whose accesses this was kept before.
  void begin_phase(GlobalOrder::Keeps keeps) {
    ahead_ = {};  // what it knows may be gone
    race_ = {};
    order_.begin_phase(keeps);
  }
  void begin_task() {
    order_.begin_task();
    if (original_ != nullptr) original_->barrier();
    runs_are_simple_ =
        context_.rules().whole_sectors() && !context_.watched() && !context_.replays();
  }
  void barrier() { (original_ == nullptr ? order_ : *original_).barrier(); }
  [[nodiscard]] GlobalOrder& order() { return order_; }
  /// The task runs again, and its accesses are told to that order.
  void tell(GlobalOrder* original) { original_ = original; }
  /// An element of an array that tasks made a race of.
  struct Race {
    const GlobalStorage* array = nullptr;  ///< null: there was none
    std::int64_t element = 0;
  };
  /// The element of the access that was refused for a race.
  [[nodiscard]] const Race& race() const { return race_; }

 private:
  /// read() and write() of any indices.
  template <class T>
  [[gnu::noinline]] void read_any(GlobalStorage& array, std::int64_t origin,
                                  const Varying<std::int32_t>& index, Varying<T>& result,
                                  const SourceLine& where);
  template <class T>
  [[gnu::noinline]] void write_any(GlobalStorage& array, std::int64_t origin,
                                   const Varying<std::int32_t>& index, const Varying<T>& value,
                                   const SourceLine& where);

  /// An access in progress: what the messages of its errors name.
  struct Access {
    GlobalStorage& array;
    std::int64_t origin;
    Touch kind;
    const ActiveIndices& active;
    const SourceLine& where;
  };

  /// The active lanes' indices, in bounds, the access noted and charged to `counts`.
  const ActiveIndices& access(GlobalStorage& array, std::int64_t origin,
                              const Varying<std::int32_t>& index, GlobalCounts& counts, Touch kind,
                              const SourceLine& where);
  /// access() where all lanes are active at ascending neighbours and nobody watches, not atomic:
  /// the element of lane 0; else no_run, and nothing was done.
  template <Touch kind>
  std::int64_t access_run(GlobalStorage& array, std::int64_t origin,
                          const Varying<std::int32_t>& index, GlobalCounts& counts,
                          const SourceLine& where);
  static constexpr std::int64_t no_run = -1;
  /// Refuses such an access, which is out of bounds or a race.
  [[noreturn, gnu::cold]] void fail_run(GlobalStorage& array, std::int64_t origin,
                                        const Varying<std::int32_t>& index, Touch kind,
                                        const SourceLine& where);
  /// Fetches elements, and what is known of them, before they are accessed.
  void prefetch(GlobalStorage& array, std::int64_t origin, Touch kind, const std::int32_t* index,
                std::int32_t count) const;
  /// Fetches elements of arrays where such values of `array` were indices lately.
  void prefetch_by(const GlobalStorage& array, std::uint64_t id, const std::int32_t* value);
  /// Whether that was done for these indices; henceforth it will be for their like.
  bool is_prefetched(GlobalStorage& array, std::int64_t origin, Touch kind, std::uint64_t index_id);
  /// Fetches what an access by all lanes to the neighbours from `first` on will need.
  void prefetch_run(const GlobalStorage& array, std::int64_t first) const;
  /// The groups that the active lanes of a wide access touch, charged to `counts`.
  const ActiveIndices& access_wide(GlobalStorage& array, Neighbours& neighbours,
                                   const Varying<std::int32_t>& index, GlobalCounts& counts,
                                   Touch kind, const SourceLine& where);
  [[noreturn]] void fail_bounds(const Access& access) const;
  /// The request of one warp for elements of this size; what it adds to Counts::serialised is
  /// charged at once.
  GlobalPrice price(const Access& access, ElementSize size, std::int32_t warp);
  /// The requests of all warps, `period` = PricingRules::period().
  GlobalCounts known_price(const Access& access, KnownIndices& known, std::int64_t period);
  /// Refuses a race, and what has no order in the task; `anywhere` as RaceDetector::note() has it.
  void note(const Access& access, bool anywhere);
  [[noreturn]] void fail_race(const Access& access);
  /// Stores the active lanes' values from `data` on, which is element `origin`; refuses different
  /// ones for one element.
  template <class T>
  void store(const GlobalStorage& array, T* data, std::int64_t origin, const ActiveIndices& active,
             const T* in, const SourceLine& where) const;
  /// What the latest access, to elements or groups of so many bytes, cost, for the task alone.
  void note_use(const GlobalStorage& array, std::int32_t bytes, const Varying<std::int32_t>& index,
                const GlobalCounts& before, const GlobalCounts& counts);

  template <class T>
  void observe(InstructionKind kind, GlobalStorage& array, std::int64_t origin,
               const ActiveIndices& active, const Varying<T>& values, const SourceLine& where) {
    if (!context_.observed()) [[likely]]
      return;
    using Storage = typename Varying<T>::Storage;
    const auto elements = LaneValues::of(reinterpret_cast<const Storage*>(array.bytes()));
    const AccessedArray accessed{false, array.name(), array.size(), array.element_size().words,
                                 0,     elements};
    context_.observe(kind, where, LaneValues::of(values.data()), &accessed, &active, origin);
  }

  LaneContext& context_;
  std::size_t thread_;
  GlobalOrder order_;
  GlobalOrder* original_ = nullptr;  // order of the task that runs again here
  bool runs_are_simple_ = false;     // warps that access neighbours cost the same, nobody watches
  Race race_;
  /// What this host thread's accesses are likely to need next.
  struct Ahead {
    struct Values {
      std::uint64_t id = 0;  ///< number of a lane value
      const GlobalStorage* from = nullptr;
    };
    std::array<Values, 16> read{};  ///< lately
    std::size_t reads = 0;
    // Values of `from` are indices into `to` from `origin` on.
    const GlobalStorage* from = nullptr;
    GlobalStorage* to = nullptr;
    std::int64_t origin = 0;
    Touch kind = Touch::read;
    std::array<std::int64_t, traffic_places> last{};  ///< element of each place
  };
  Ahead ahead_;
  LoneTask::GlobalUse use_{};  // latest access, where execution is counted
};

template <class T>
Varying<T> GlobalAccess::read(GlobalStorage& array, std::int64_t origin,
                              const Varying<std::int32_t>& index, const SourceLine& where) {
  index.use();
  Varying<T> result(context_);
  result.arrives_with(context_.next_read());
  const std::int64_t first =
      access_run<Touch::read>(array, origin, index, context_.counts.global_read, where);
  if (first != no_run) {
    copy_lanes(reinterpret_cast<const T*>(array.bytes()) + first, result.data(), context_.width());
  } else {
    read_any(array, origin, index, result, where);
  }
  if constexpr (std::is_same_v<T, std::int32_t>) prefetch_by(array, result.id(), result.data());
  return result;
}

template <class T>
void GlobalAccess::read_any(GlobalStorage& array, std::int64_t origin,
                            const Varying<std::int32_t>& index, Varying<T>& result,
                            const SourceLine& where) {
  const ActiveIndices& active =
      access(array, origin, index, context_.counts.global_read, Touch::read, where);
  T* const out = result.data();
  if (context_.derives()) {
    std::fill_n(out, context_.padded(), T{1});  // neither the least nor the largest key
  } else {
    const auto* const data = reinterpret_cast<const T*>(array.bytes()) + origin;
    if (!context_.full()) {
      for (std::int32_t i = 0; i < active.count; ++i) out[active.lane[i]] = data[active.index[i]];
    } else if (active.shape == Shape::ascending) {
      copy_lanes(data + active.index[0], out, active.count);
    } else {
      gather(data, active.index, active.count, out);
    }
  }
  if (LoneTask* const lone = context_.lone()) {
    result.arrives() = lone->global_read(use_, active, origin, context_.counts.rounds, where);
  }
  observe(InstructionKind::read, array, origin, active, result, where);
  context_.observe_result(result.data());
}

template <class T>
void GlobalAccess::write(GlobalStorage& array, std::int64_t origin,
                         const Varying<std::int32_t>& index, const Varying<T>& value,
                         const SourceLine& where) {
  value.use();
  index.use();
  const std::int64_t first =
      access_run<Touch::write>(array, origin, index, context_.counts.global_write, where);
  if (first != no_run) {
    copy_lanes(value.data(), reinterpret_cast<T*>(array.bytes()) + first, context_.width());
  } else {
    write_any(array, origin, index, value, where);
  }
}

template <class T>
void GlobalAccess::write_any(GlobalStorage& array, std::int64_t origin,
                             const Varying<std::int32_t>& index, const Varying<T>& value,
                             const SourceLine& where) {
  const ActiveIndices& active =
      access(array, origin, index, context_.counts.global_write, Touch::write, where);
  if (LoneTask* const lone = context_.lone()) lone->global_write(use_, value.arrives());
  observe(InstructionKind::write, array, origin, active, value, where);
  if (context_.derives() || context_.replays()) return;
  auto* const data = reinterpret_cast<T*>(array.bytes()) + origin;
  const T* const in = value.data();
  if (!active.distinct) {
    store(array, data, origin, active, in, where);
  } else if (!context_.full()) {
#pragma GCC ivdep
    for (std::int32_t i = 0; i < active.count; ++i) data[active.index[i]] = in[active.lane[i]];
  } else if (active.shape == Shape::ascending) {
    copy_lanes(in, data + active.index[0], active.count);
  } else {
#pragma GCC ivdep
    for (std::int32_t i = 0; i < active.count; ++i) data[active.index[i]] = in[i];
  }
}

template <class T>
void GlobalAccess::store(const GlobalStorage& array, T* data, std::int64_t origin,
                         const ActiveIndices& active, const T* in, const SourceLine& where) const {
  // From the last lane to the first: the lowest lane wins (theory A12, "arbitrary").
  for (std::int32_t i = active.count; i-- > 0;) data[active.index[i]] = in[active.lane[i]];
  if (!context_.checks()) return;
  for (std::int32_t i = 0; i < active.count; ++i) {
    if (!same_bits(data[active.index[i]], in[active.lane[i]])) {
      context_.fail("two lanes store different values to one word of global memory", active.lane[i],
                    array.name(), origin + active.index[i], where);
    }
  }
}

template <std::int32_t count, class T>
Registers<Varying<T>, count> GlobalAccess::read_wide(GlobalStorage& array, std::int64_t origin,
                                                     const Varying<std::int32_t>& index,
                                                     const SourceLine& where) {
  Neighbours neighbours({"global", array.name(), array.size()}, origin, index, count, where);
  const ActiveIndices& active =
      access_wide(array, neighbours, index, context_.counts.global_read, Touch::read, where);
  auto result = make_registers<count>([&](std::int32_t) { return Varying<T>(context_); });
  const std::uint64_t read = context_.next_read();
  LoneTask* const lone = context_.lone();
  const Arrival arrives = lone == nullptr
                              ? Arrival{}
                              : lone->global_read(use_, active, neighbours.first_group(),
                                                  context_.counts.rounds, where);
  const std::int64_t first = neighbours.first_group() * count;
  for (std::int32_t j = 0; j < count; ++j) {
    Varying<T>& one = result[j];
    one.arrives_with(read);
    if (lone != nullptr) one.arrives() = arrives;
    const ActiveIndices& elements = neighbours.elements(active, j);
    T* const out = one.data();
    if (context_.derives()) {
      std::fill_n(out, context_.padded(), T{1});
    } else {
      const auto* const data = reinterpret_cast<const T*>(array.bytes()) + first;
      for (std::int32_t i = 0; i < elements.count; ++i) {
        out[elements.lane[i]] = data[elements.index[i]];
      }
    }
    observe(InstructionKind::read, array, first, elements, one, where);
    context_.observe_result(one.data());
  }
  return result;
}

template <std::int32_t count, class T>
void GlobalAccess::write_wide(GlobalStorage& array, std::int64_t origin,
                              const Varying<std::int32_t>& index,
                              const Registers<Varying<T>, count>& value, const SourceLine& where) {
  for (std::int32_t j = 0; j < count; ++j) value[j].use();
  Neighbours neighbours({"global", array.name(), array.size()}, origin, index, count, where);
  const ActiveIndices& active =
      access_wide(array, neighbours, index, context_.counts.global_write, Touch::write, where);
  if (LoneTask* const lone = context_.lone()) {
    for (std::int32_t j = 1; j < count; ++j) lone->wait(value[j].arrives());
    lone->global_write(use_, value[0].arrives());
  }
  if (context_.derives()) return;
  const std::int64_t first = neighbours.first_group() * count;
  auto* const data = reinterpret_cast<T*>(array.bytes()) + first;
  for (std::int32_t j = 0; j < count; ++j) {
    const ActiveIndices& elements = neighbours.elements(active, j);
    observe(InstructionKind::write, array, first, elements, value[j], where);
    if (!context_.replays()) store(array, data, first, elements, value[j].data(), where);
  }
}

template <class Operation, AtomicWord T>
void GlobalAccess::atomic(GlobalStorage& array, std::int64_t origin,
                          const Varying<std::int32_t>& index, const Varying<T>& value,
                          const SourceLine& where) {
  value.use();
  index.use();
  const ActiveIndices& active =
      access(array, origin, index, context_.counts.global_atomic, Operation::touch, where);
  if (LoneTask* const lone = context_.lone()) lone->global_write(use_, value.arrives());
  if (context_.derives()) {
    context_.fail("atomics of a kernel that says its cost does not depend on data", 0, array.name(),
                  origin, where);
  }
  observe(InstructionKind::atomic, array, origin, active, value, where);
  if (context_.replays()) return;
  auto* const data = reinterpret_cast<T*>(array.bytes()) + origin;
  const T* const in = value.data();
  if (!array.concurrent()) {
    for (std::int32_t i = 0; i < active.count; ++i) {
      T& cell = data[active.index[i]];
      cell = Operation::combine(cell, in[active.lane[i]]);
    }
    return;
  }
  constexpr auto order = std::memory_order_relaxed;
  for (std::int32_t i = 0; i < active.count; ++i) {
    const std::atomic_ref<T> cell(data[active.index[i]]);
    const T operand = in[active.lane[i]];
    if constexpr (std::is_same_v<Operation, AtomicAdd>) {
      cell.fetch_add(operand, order);
    } else {
      T seen = cell.load(order);
      T next = Operation::combine(seen, operand);
      while (next != seen && !cell.compare_exchange_weak(seen, next, order)) {
        next = Operation::combine(seen, operand);
      }
    }
  }
}

}  // namespace agpusim
