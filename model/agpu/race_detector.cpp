#include "agpusim/model/agpu/race_detector.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "agpusim/model/agpu/lane_vector.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

constexpr std::int64_t lock_elements = 32;
constexpr std::int32_t block = 32;  // records at a time
constexpr std::int64_t identifications = std::int64_t{1} << 30;

}  // namespace

/// What an access makes of a record, or of a vector of them.
class RaceDetector::Update {
 public:
  Update(std::uint32_t several, std::uint32_t user, Kind kind)
      : floor_(several << 2),
        user_(user << 2),
        how_(kind == Kind::read     ? 0U
             : kind == Kind::atomic ? 1U
                                    : 2U),
        sharing_(kind == Kind::write ? 4U : how_) {}

  /// Not 0 where an access is a race.
  template <class T>
  [[nodiscard]] auto race(const T& record) const {
    return (record >= floor_) & ((record ^ user_) >= 4U) & ((record & 3U) != sharing_);
  }
  /// The record after a legal access; after a race the record as it is.
  template <class T>
  [[nodiscard]] T operator()(const T& record) const {
    const T alone = T{} + (user_ | how_);
    const T mixed = T{} + (user_ | 2U);
    const T shared = T{} + (floor_ | how_);
    const T again = record == alone ? record : mixed;
    const T met = (record & 3U) == sharing_ ? shared : record;
    const T used = (record ^ user_) < 4U ? again : met;
    return record < floor_ ? alone : used;
  }

 private:
  Record floor_;
  Record user_;
  Record how_;
  Record sharing_;  // how others may have used it too; 4: not at all
};

/// The records of at most 32 elements, all loaded before the first is stored: so no load waits for
/// a store to an address that only looks the same. Equal elements become equal records.
class RaceDetector::Block {
 public:
  Block(const Record* from, std::int32_t count) : count_(count) {
    if (count < block) std::fill_n(record_, block, Record{0});
    std::copy_n(from, count, record_);
  }
  Block(const Record* from, const std::int32_t* index, std::int32_t count) : count_(count) {
    if (count < block) {
      std::fill_n(record_, block, Record{0});
      for (std::int32_t i = 0; i < count; ++i) record_[i] = from[index[i]];
    } else {
      for (std::int32_t i = 0; i < block; ++i) record_[i] = from[index[i]];
    }
  }
  [[nodiscard]] bool note(const Update& update) {
    SignedLaneVector races{};
    for (std::int32_t i = 0; i < block; i += vector_lanes) {
      const auto seen = load_lanes(record_ + i);
      races |= update.race(seen);
      store_lanes(update(seen), record_ + i);
    }
    return or_of_lanes(races) == 0;
  }
  void store(Record* to) const { std::copy_n(record_, count_, to); }
  void store(Record* to, const std::int32_t* index) const {
    for (std::int32_t i = 0; i < count_; ++i) to[index[i]] = record_[i];
  }

 private:
  std::int32_t count_;
  alignas(64) Record record_[block];
};

RaceDetector::RaceDetector(std::int64_t elements, bool concurrent)
    : elements_(elements),
      concurrent_(concurrent),
      memory_(host_bytes(elements)),
      records_(memory_.as<Record>()),
      lock_memory_(concurrent ? elements / lock_elements + 1 : 0),
      locks_(lock_memory_.as<std::atomic<std::uint8_t>>()) {}

void RaceDetector::begin_phase(std::int64_t tasks) {
  const std::int64_t needed = tasks + 1;
  if (needed >= identifications) {
    throw UsageError(fmt::format(
        "races between {} tasks cannot be checked: at most 2^30 - 2; choose more work per task, or "
        "switch the checks off",
        tasks));
  }
  if (next_ + needed > identifications) {
    std::fill_n(records_, elements_, Record{0});
    next_ = 1;
  }
  several_ = next_;
  next_ += static_cast<std::uint32_t>(needed);
}

RaceDetector::Update RaceDetector::update_of(std::int64_t task, Kind kind) const {
  return {several_, several_ + 1 + static_cast<std::uint32_t>(task), kind};
}

std::int64_t RaceDetector::other_user(std::int64_t task, Kind kind, std::int64_t element) const {
  const Record record = std::atomic_ref(records_[element]).load(std::memory_order_relaxed);
  if (!update_of(task, kind).race(record)) return nobody;
  const std::uint32_t user = record >> 2;
  return user == several_ ? many : std::int64_t{user} - several_ - 1;
}

bool RaceDetector::note_run(std::int64_t task, Kind kind, std::int64_t first, std::int64_t count) {
  const Update update = update_of(task, kind);
  bool legal = true;
  for (std::int64_t begin = first, end = first + count; begin < end;) {
    const std::int64_t lock = begin / lock_elements;
    const std::int64_t stop =
        std::min(end, concurrent_ ? (lock + 1) * lock_elements : begin + block);
    if (concurrent_) {
      legal &= note_locked(update, lock, [&](auto each) {
        for (std::int64_t i = begin; i < stop; ++i) each(i);
      });
    } else {
      Block records(records_ + begin, static_cast<std::int32_t>(stop - begin));
      legal &= records.note(update);
      records.store(records_ + begin);
    }
    begin = stop;
  }
  return legal;
}

bool RaceDetector::note(std::int64_t task, Kind kind, std::int64_t origin,
                        const std::int32_t* index, std::int32_t count) {
  const Update update = update_of(task, kind);
  bool legal = true;
  if (concurrent_) {
    for (std::int32_t i = 0; i < count; ++i) {
      const std::int64_t element = origin + index[i];
      legal &=
          note_locked(update, element / lock_elements, [element](auto each) { each(element); });
    }
    return legal;
  }
  for (std::int32_t begin = 0; begin < count; begin += block) {
    Block records(records_ + origin, index + begin, std::min(count - begin, block));
    legal &= records.note(update);
    records.store(records_ + origin, index + begin);
  }
  return legal;
}

/// Calls access(each), which calls each(element) for elements of one lock.
template <class Access>
bool RaceDetector::note_locked(const Update& update, std::int64_t lock_number, Access access) {
  constexpr auto order = std::memory_order_relaxed;
  // An access that changes nothing needs no lock: a legal one stays legal, other threads see it.
  bool settled = true;
  access([&](std::int64_t element) {
    const Record seen = std::atomic_ref(records_[element]).load(order);
    settled &= !update.race(seen) && update(seen) == seen;
  });
  if (settled) return true;
  std::atomic<std::uint8_t>& lock = locks_[lock_number];
  while (lock.exchange(1, std::memory_order_acquire) != 0) {
  }
  bool legal = true;
  access([&](std::int64_t element) {
    const std::atomic_ref record(records_[element]);
    const Record seen = record.load(order);
    legal &= !update.race(seen);
    record.store(update(seen), order);
  });
  lock.store(0, std::memory_order_release);
  return legal;
}

}  // namespace agpusim
