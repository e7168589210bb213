#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "agpusim/model/agpu/lane_copy.hpp"
#include "agpusim/model/agpu/lane_order.hpp"
#include "agpusim/model/agpu/neighbours.hpp"
#include "agpusim/model/agpu/varying.hpp"
#include "agpusim/model/agpu/word_arithmetic.hpp"
#include "agpusim/model/agpu/zeroed_memory.hpp"
#include "agpusim/model/registers.hpp"
#include "agpusim/model/source_line.hpp"

namespace agpusim {

/// The shared memory of one multiprocessor while it runs one task: b banks, erased between tasks
/// (R5), with a note per element of who touched it since the last `sync`.
class SharedMemory {
 public:
  explicit SharedMemory(LaneContext& context);

  /// Forgets every array and every value (R5, theory A16).
  void begin_task();
  /// Orders the accesses before it with those after it.
  void sync();

  struct Array {
    std::string_view name;
    std::byte* data = nullptr;
    std::uint32_t* notes = nullptr;  ///< note of element 0, LaneOrder
    std::int32_t size = 0;           ///< elements
    ElementSize element;
    std::int64_t base = 0;  ///< word address of element 0
  };

  /// Reserves `size` elements; throws RuleViolation when the task needs more than M words.
  Array allocate(std::int32_t size, std::int32_t element_bytes, std::string_view name);
  /// All bytes that a task may reserve.
  [[nodiscard]] std::span<std::byte> bytes() const {
    return {bytes_.data(),
            static_cast<std::size_t>(context_.spec().shared_words) * sizeof(std::uint64_t)};
  }
  /// Words reserved by the current task.
  [[nodiscard]] std::int64_t words_used() const { return words_used_; }

  template <class T>
  Varying<T> read(const Array& array, const Varying<std::int32_t>& index, const SourceLine& where);
  template <class T>
  void write(const Array& array, const Varying<std::int32_t>& index, const Varying<T>& value,
             const SourceLine& where);
  /// One access to `count` neighbours of each lane, from element `index` on (extension X6).
  template <std::int32_t count, class T>
  Registers<Varying<T>, count> read_wide(const Array& array, const Varying<std::int32_t>& index,
                                         const SourceLine& where);
  template <std::int32_t count, class T>
  void write_wide(const Array& array, const Varying<std::int32_t>& index,
                  const Registers<Varying<T>, count>& value, const SourceLine& where);
  /// One read-modify-write of each lane's element; equal addresses serialise (extension X1).
  template <class Operation, AtomicWord T>
  void atomic(const Array& array, const Varying<std::int32_t>& index, const Varying<T>& value,
              const SourceLine& where);
  /// atomic() that returns what was there before; only where the order is certain.
  template <AtomicWord T>
  Varying<T> fetch_add(const Array& array, const Varying<std::int32_t>& index,
                       const Varying<T>& value, const SourceLine& where);

 private:
  /// The active lanes' indices, in bounds, the access charged to `counts`.
  const ActiveIndices& access(const Array& array, const Varying<std::int32_t>& index,
                              SharedCounts& counts, const SourceLine& where);
  /// The groups that the active lanes access, charged to `counts`; of elements of so many bytes.
  const ActiveIndices& access_wide(const Array& array, const Neighbours& neighbours,
                                   std::size_t element_bytes, SharedCounts& counts,
                                   const SourceLine& where);
  enum class Kind : std::uint8_t { load, store, atomic };
  SharedCounts price(const Array& array, const ActiveIndices& active, Kind kind);
  void note(const Array& array, Touch touch, const ActiveIndices& active, const SourceLine& where) {
    if (context_.checks()) order_.note({array.name, 0, array.notes}, touch, active, known_, where);
  }
  [[noreturn]] void fail_bounds(const Array& array, const ActiveIndices& active,
                                const SourceLine& where) const;
  /// Reads and writes, by the first lanes, of elements of 32 bits.
  void read_words(const Array& array, const ActiveIndices& active, void* to) const;
  void write_words(const Array& array, const ActiveIndices& active, const void* from) const;
  /// Stores the active lanes' values; refuses different ones for one element.
  template <class Storage>
  void store(const Array& array, Storage* data, const ActiveIndices& active, const Storage* in,
             const SourceLine& where) const;
  /// The latest access, of the task alone; when a value that it reads arrives.
  Arrival use(Touch touch, const Varying<std::int32_t>& index, std::size_t bytes) {
    context_.lone()->wait(index.arrives());
    return {context_.lone()->shared(touch, context_.mask().active_warps, wavefronts_, bytes),
            index.arrives().read};
  }
  template <class T>
  void observe(InstructionKind kind, const Array& array, const ActiveIndices& active,
               const Varying<T>& values, const SourceLine& where) {
    if (!context_.observed()) [[likely]]
      return;
    using Storage = typename Varying<T>::Storage;
    const auto elements = LaneValues::of(reinterpret_cast<const Storage*>(array.data));
    const AccessedArray accessed{true,       array.name, array.size, array.element.words,
                                 array.base, elements};
    context_.observe(kind, where, LaneValues::of(values.data()), &accessed, &active);
  }

  LaneContext& context_;
  ZeroedMemory bytes_;  // 8 bytes per word of M cover every element size
  LaneOrder order_;
  std::int64_t bytes_used_ = 0;
  std::int64_t elements_used_ = 0;
  std::int64_t words_used_ = 0;
  std::int64_t wavefronts_ = 0;          // wavefronts of the latest access
  const KnownIndices* known_ = nullptr;  // its indices, where they have a lane for each place
};

template <class T>
Varying<T> SharedMemory::read(const Array& array, const Varying<std::int32_t>& index,
                              const SourceLine& where) {
  const ActiveIndices& active = access(array, index, context_.counts.shared_read, where);
  note(array, Touch::read, active, where);
  Varying<T> result(context_);
  using Storage = typename Varying<T>::Storage;
  const auto* const data = reinterpret_cast<const Storage*>(array.data);
  Storage* const out = result.data();
  if (active.lane == context_.lane_numbers()) {
    if (active.shape == Shape::ascending) {
      copy_lanes(data + active.index[0], out, active.count);
    } else if constexpr (sizeof(T) == sizeof(std::uint32_t)) {
      read_words(array, active, out);
    } else {
      gather(data, active.index, active.count, out);
    }
  } else {
    for (std::int32_t i = 0; i < active.count; ++i) out[active.lane[i]] = data[active.index[i]];
  }
  if (context_.watched()) [[unlikely]] {
    if (context_.lone() != nullptr) result.arrives() = use(Touch::read, index, sizeof(T));
    observe(InstructionKind::read, array, active, result, where);
    context_.observe_result(result.data());
  }
  return result;
}

template <class T>
void SharedMemory::write(const Array& array, const Varying<std::int32_t>& index,
                         const Varying<T>& value, const SourceLine& where) {
  value.use();
  const ActiveIndices& active = access(array, index, context_.counts.shared_write, where);
  if (LoneTask* const lone = context_.lone()) {
    lone->wait(value.arrives());
    static_cast<void>(use(Touch::write, index, sizeof(T)));
  }
  note(array, Touch::write, active, where);
  observe(InstructionKind::write, array, active, value, where);
  if (context_.has_record()) return;
  using Storage = typename Varying<T>::Storage;
  auto* const data = reinterpret_cast<Storage*>(array.data);
  const Storage* const in = value.data();
  const bool first_lanes = active.lane == context_.lane_numbers();
  if (first_lanes && active.shape == Shape::ascending) {
    copy_lanes(in, data + active.index[0], active.count);
    return;
  }
  if (active.distinct) {
    if constexpr (sizeof(T) == sizeof(std::uint32_t)) {
      if (first_lanes) return write_words(array, active, in);
    }
    if (first_lanes) {
#pragma GCC ivdep
      for (std::int32_t i = 0; i < active.count; ++i) data[active.index[i]] = in[i];
    } else {
#pragma GCC ivdep
      for (std::int32_t i = 0; i < active.count; ++i) data[active.index[i]] = in[active.lane[i]];
    }
    return;
  }
  store(array, data, active, in, where);
}

template <class Storage>
void SharedMemory::store(const Array& array, Storage* data, const ActiveIndices& active,
                         const Storage* in, const SourceLine& where) const {
  // From the last lane to the first: the lowest lane wins (theory A5, "arbitrary").
  for (std::int32_t i = active.count; i-- > 0;) data[active.index[i]] = in[active.lane[i]];
  if (!context_.checks()) return;
  for (std::int32_t i = 0; i < active.count; ++i) {
    if (!same_bits(data[active.index[i]], in[active.lane[i]])) {
      context_.fail("two lanes store different values to one word of shared memory", active.lane[i],
                    array.name, active.index[i], where);
    }
  }
}

template <std::int32_t count, class T>
Registers<Varying<T>, count> SharedMemory::read_wide(const Array& array,
                                                     const Varying<std::int32_t>& index,
                                                     const SourceLine& where) {
  Neighbours neighbours({"shared", array.name, array.size}, 0, index, count, where);
  const ActiveIndices& active =
      access_wide(array, neighbours, sizeof(T), context_.counts.shared_read, where);
  auto result = make_registers<count>([&](std::int32_t) { return Varying<T>(context_); });
  const bool executes = context_.lone() != nullptr;
  const Arrival arrives = executes ? use(Touch::read, index, count * sizeof(T)) : Arrival{};
  const auto* const data = reinterpret_cast<const T*>(array.data);
  for (std::int32_t j = 0; j < count; ++j) {
    const ActiveIndices& one = neighbours.elements(active, j);
    note(array, Touch::read, one, where);
    T* const out = result[j].data();
    for (std::int32_t i = 0; i < one.count; ++i) out[one.lane[i]] = data[one.index[i]];
    if (executes) result[j].arrives() = arrives;
    observe(InstructionKind::read, array, one, result[j], where);
    context_.observe_result(result[j].data());
  }
  return result;
}

template <std::int32_t count, class T>
void SharedMemory::write_wide(const Array& array, const Varying<std::int32_t>& index,
                              const Registers<Varying<T>, count>& value, const SourceLine& where) {
  for (std::int32_t j = 0; j < count; ++j) value[j].use();
  Neighbours neighbours({"shared", array.name, array.size}, 0, index, count, where);
  const ActiveIndices& active =
      access_wide(array, neighbours, sizeof(T), context_.counts.shared_write, where);
  if (LoneTask* const lone = context_.lone()) {
    for (std::int32_t j = 0; j < count; ++j) lone->wait(value[j].arrives());
    static_cast<void>(use(Touch::write, index, count * sizeof(T)));
  }
  auto* const data = reinterpret_cast<T*>(array.data);
  for (std::int32_t j = 0; j < count; ++j) {
    const ActiveIndices& one = neighbours.elements(active, j);
    note(array, Touch::write, one, where);
    observe(InstructionKind::write, array, one, value[j], where);
    if (!context_.has_record()) store(array, data, one, value[j].data(), where);
  }
}

template <class Operation, AtomicWord T>
void SharedMemory::atomic(const Array& array, const Varying<std::int32_t>& index,
                          const Varying<T>& value, const SourceLine& where) {
  value.use();
  const ActiveIndices& active = access(array, index, context_.counts.shared_atomic, where);
  if (LoneTask* const lone = context_.lone()) {
    lone->wait(value.arrives());
    static_cast<void>(use(Operation::touch, index, sizeof(T)));
  }
  observe(InstructionKind::atomic, array, active, value, where);
  if (context_.has_record()) return;
  auto* const data = reinterpret_cast<T*>(array.data);
  note(array, Operation::touch, active, where);
  for (std::int32_t i = 0; i < active.count; ++i) {
    T& cell = data[active.index[i]];
    cell = Operation::combine(cell, value.data()[active.lane[i]]);
  }
}

template <AtomicWord T>
Varying<T> SharedMemory::fetch_add(const Array& array, const Varying<std::int32_t>& index,
                                   const Varying<T>& value, const SourceLine& where) {
  value.use();
  const ActiveIndices& active = access(array, index, context_.counts.shared_atomic, where);
  Varying<T> result(context_);
  if (LoneTask* const lone = context_.lone()) {
    lone->wait(value.arrives());
    result.arrives() = use(Touch::fetch, index, sizeof(T));
  }
  note(array, Touch::fetch, active, where);
  observe(InstructionKind::atomic, array, active, value, where);
  auto* const data = reinterpret_cast<T*>(array.data);
  for (std::int32_t i = 0; i < active.count; ++i) {
    T& cell = data[active.index[i]];
    const std::int32_t lane = active.lane[i];
    result.data()[lane] = cell;
    if (!context_.has_record()) cell = AtomicAdd::combine(cell, value.data()[lane]);
  }
  context_.observe_result(result.data());
  return result;
}

}  // namespace agpusim
