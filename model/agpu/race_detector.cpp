#include "agpusim/model/agpu/race_detector.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "agpusim/model/agpu/lane_vector.hpp"
#include "agpusim/model/error.hpp"

namespace agpusim {
namespace {

constexpr std::int32_t block = 32;  // records at a time
constexpr std::int64_t identifications = std::int64_t{1} << 29;
constexpr std::uint32_t split_how = 7;
constexpr std::int64_t most_by_vectors = std::int64_t{1} << 30;  // places in 31 bits
constexpr std::ptrdiff_t high_half = std::endian::native == std::endian::little ? 1 : 0;
constexpr std::uint64_t splitting = 1;  // in the low half: element records are being written

std::uint32_t found_in(const SignedLaneVector& races, const SignedLaneVector& repeats) {
  return (any_lane(races) ? RaceDetector::race : 0U) |
         (any_lane(repeats) ? RaceDetector::again : 0U);
}

}  // namespace

/// What an access makes of a record, or of a vector of them.
class RaceDetector::Update {
 public:
  static constexpr Record how = (1U << how_bits) - 1;

  Update(std::uint32_t several, std::uint32_t user, Touch kind)
      : floor_(several << how_bits),
        user_(user << how_bits),
        how_(how_of(kind)),
        sharing_(kind == Touch::write ? 1U << how_bits : how_) {}

  /// Not 0 where an access is a race.
  template <class T>
  [[nodiscard]] auto race(const T& record) const {
    return (record >= floor_) & ((record ^ user_) > how) & ((record & how) != sharing_);
  }
  /// Not 0 where the task used the element before, not only in this way.
  template <class T>
  [[nodiscard]] auto again(const T& record) const {
    return ((record ^ user_) <= how) & ((record & how) != sharing_);
  }
  [[nodiscard]] std::uint32_t found(Record record) const {
    return race(record) ? Found::race : again(record) ? Found::again : nothing;
  }
  /// Whether the task used some of `elements` before, which one record of their chunk tells.
  [[nodiscard]] bool again(Chunk chunk, std::uint32_t elements) const {
    return (static_cast<std::uint32_t>(chunk) & elements) != 0 &&
           again(static_cast<Record>(chunk >> 32));
  }
  /// The record after a legal access; after a race the record as it is.
  template <class T>
  [[nodiscard]] T operator()(const T& record) const {
    const T alone = T{} + (user_ | how_);
    const T several_ways = T{} + (user_ | mixed);
    const T shared = T{} + (floor_ | how_);
    const T mine = record == alone ? record : several_ways;
    const T met = (record & how) == sharing_ ? shared : record;
    const T used = (record ^ user_) <= how ? mine : met;
    return record < floor_ ? alone : used;
  }
  /// The chunk after an access to `elements` of it; `split` where one record cannot tell, which a
  /// race is too.
  [[nodiscard]] Chunk of_chunk(Chunk chunk, std::uint32_t elements, Chunk split) const {
    const auto record = static_cast<Record>(chunk >> 32);
    const auto before = static_cast<std::uint32_t>(chunk);
    const auto all = [elements](Record who) { return Chunk{who} << 32 | elements; };
    if (record < floor_) return all(user_ | how_);
    const bool no_new_ones = (elements & ~before) == 0;
    if ((record ^ user_) <= how) {
      if ((record & how) == how_) return chunk | elements;
      if ((record & how) == mixed && no_new_ones) return chunk;
      const bool every_one = (before & ~elements) == 0;
      return before == elements || (how_ == mixed && every_one) ? all(user_ | mixed) : split;
    }
    if ((record & how) != sharing_) return split;
    if (record <= (floor_ | how) && no_new_ones) return chunk;
    return before == elements ? all(floor_ | how_) : split;
  }

 private:
  Record floor_;
  Record user_;
  Record how_;
  Record sharing_;  // how others may have used it too; above `how`: not at all
};

/// The records of at most 32 neighbouring elements.
class RaceDetector::Block {
 public:
  Block(const Record* from, std::int32_t count) : count_(count) {
    if (count < block) std::fill_n(record_, block, Record{0});
    std::copy_n(from, count, record_);
  }
  [[nodiscard]] std::uint32_t note(const Update& update) {
    SignedLaneVector races{};
    SignedLaneVector repeats{};
    for (std::int32_t i = 0; i < block; i += vector_lanes) {
      const auto seen = load_lanes(record_ + i);
      races |= update.race(seen);
      repeats |= update.again(seen);
      store_lanes(update(seen), record_ + i);
    }
    return found_in(races, repeats);
  }
  void store(Record* to) const { std::copy_n(record_, count_, to); }

 private:
  std::int32_t count_;
  alignas(64) Record record_[block];
};

/// How this phase used the elements of a chunk.
class RaceDetector::Uses {
 public:
  Uses(const RaceDetector& detector, std::int64_t chunk)
      : whole_(detector.chunks_[chunk]),
        is_split_(whole_ == detector.split_),
        floor_(detector.several_ << how_bits),
        records_(detector.records_ + place_of(chunk * chunk_elements)) {}

  /// A vector of elements: 0 where they were not used, else 1 << how.
  [[nodiscard]] LaneVector operator[](std::int32_t vector) const {
    const std::int32_t first = vector * vector_lanes;
    if (is_split_) {
      const LaneVector record = load_lanes(records_ + first);
      return record >= floor_ ? (LaneVector{} + 1U) << (record & split_how) : LaneVector{};
    }
    const auto lane = __builtin_convertvector(lane_numbers_of_vector, LaneVector);
    const LaneVector used = LaneVector{} + (static_cast<std::uint32_t>(whole_) >> first);
    return (used >> lane & 1U) << static_cast<std::uint32_t>(whole_ >> 32 & split_how);
  }

 private:
  Chunk whole_;
  bool is_split_;
  Record floor_;
  const Record* records_;
};

RaceDetector::RaceDetector(std::int64_t elements, bool concurrent)
    : elements_(elements),
      concurrent_(concurrent),
      group_memory_((chunks_of(elements) / group_chunks + 1) * std::int64_t{sizeof(std::uint32_t)}),
      chunk_memory_(chunks_of(elements) * std::int64_t{sizeof(Chunk)}),
      element_memory_(place_of(chunks_of(elements) * chunk_elements) *
                      std::int64_t{sizeof(Record)}),
      groups_(group_memory_.as<std::uint32_t>()),
      chunks_(chunk_memory_.as<Chunk>()),
      records_(element_memory_.as<Record>()) {}

void RaceDetector::take_pages() {
  agpusim::take_pages(chunks_, chunks_of(elements_) * std::int64_t{sizeof(Chunk)});
}

void RaceDetector::begin_phase(std::int64_t tasks) {
  const std::int64_t needed = tasks + 1;
  if (needed >= identifications) {
    throw UsageError(fmt::format(
        "races between {} tasks cannot be checked: at most 2^29 - 2; choose more work per task, or "
        "switch the checks off",
        tasks));
  }
  if (next_ + needed > identifications) {
    std::fill_n(chunks_, chunks_of(elements_), Chunk{0});
    std::fill_n(records_, place_of(elements_), Record{0});
    std::fill_n(groups_, chunks_of(elements_) / group_chunks + 1, 0U);
    next_ = 1;
  }
  kinds_ = 0;
  several_ = next_;
  split_ = Chunk{several_ << how_bits | split_how} << 32;
  next_ += static_cast<std::uint32_t>(needed);
}

RaceDetector::Update RaceDetector::update_of(std::int64_t task, Touch kind) const {
  return {several_, several_ + 1 + static_cast<std::uint32_t>(task), kind};
}

std::int64_t RaceDetector::other_user(std::int64_t task, Touch kind, std::int64_t element) const {
  const Chunk chunk = load(chunks_[element >> chunk_shift]);
  if (!is_used(chunk)) return nobody;
  auto record = static_cast<Record>(chunk >> 32);
  if ((record & Update::how) == split_how) {
    record = load(records_[place_of(element)]);
  } else if ((chunk >> element % chunk_elements & 1) == 0) {
    return nobody;
  }
  if (!update_of(task, kind).race(record)) return nobody;
  const std::uint32_t user = record >> how_bits;
  return user == several_ ? many : std::int64_t{user} - several_ - 1;
}

bool RaceDetector::is_atomic_only(std::int64_t element) const {
  const Record how = load(records_[place_of(element)]) & ((1U << how_bits) - 1);
  return how != how_of(Touch::read) && how != mixed;
}

bool RaceDetector::is_read_only(std::int64_t element) const {
  return (load(records_[place_of(element)]) & ((1U << how_bits) - 1)) == how_of(Touch::read);
}

template <class Cell>
Cell RaceDetector::load(const Cell& cell) const {
  if (!concurrent_) return cell;
  return std::atomic_ref(const_cast<Cell&>(cell)).load(std::memory_order_acquire);
}

/// Makes `cell`, which was `seen`, `next`; false, and `seen` anew, if another thread changed it.
template <class Cell>
bool RaceDetector::replace(Cell& cell, Cell& seen, Cell next) {
  if (concurrent_) {
    return std::atomic_ref(cell).compare_exchange_weak(seen, next, std::memory_order_acq_rel,
                                                       std::memory_order_acquire);
  }
  cell = next;
  return true;
}

/// Whether the chunk's one record can tell of an access to `elements` of it, and does now.
inline bool RaceDetector::note_whole(const Update& update, std::int64_t chunk,
                                     std::uint32_t elements, std::uint32_t& found) {
  Chunk& record = chunks_[chunk];
  Chunk seen = load(record);
  for (;;) {
    const Chunk next = update.of_chunk(seen, elements, split_);
    if (next == split_) return false;
    if (update.again(seen, elements)) found |= again;
    if (next == seen || replace(record, seen, next)) return true;
  }
}

std::uint32_t RaceDetector::note_chunks(std::int64_t task, Touch kind, std::int64_t first,
                                        std::int64_t count) {
  const Chunk mine = chunk_of(task, kind);
  std::uint32_t found = nothing;
  for (std::int64_t begin = first, end = first + count; begin < end;) {
    const std::int64_t chunk = begin >> chunk_shift;
    const std::int64_t stop = std::min(end, (chunk + 1) * chunk_elements);
    const std::uint32_t elements = elements_of(begin, stop - begin);
    touch(chunk);
    if (concurrent_ || !note_mine(chunks_[chunk], mine, elements, once_mask(kind))) {
      found |= note_part(task, kind, chunk, elements);
    }
    begin = stop;
  }
  return found;
}

std::uint32_t RaceDetector::note_part(std::int64_t task, Touch kind, std::int64_t chunk,
                                      std::uint32_t elements) {
  const Update update = update_of(task, kind);
  std::uint32_t found = nothing;
  return note_whole(update, chunk, elements, found) ? found : note_split(update, chunk, elements);
}

std::uint32_t RaceDetector::note(std::int64_t task, Touch kind, std::int64_t origin,
                                 const std::int32_t* index, std::int32_t count, bool anywhere) {
  add_kind(kind);
  const Update update = update_of(task, kind);
  std::uint32_t found = nothing;
  for (std::int32_t begin = 0; begin < count; begin += block) {
    const std::int32_t here = std::min(count - begin, block);
    const std::int32_t* const first = index + begin;
    if (concurrent_) {
      for (std::int32_t i = 0; i < here; ++i) found |= note_one(update, origin + first[i]);
      continue;
    }
    const bool splits = chunks_[(origin + first[0]) >> chunk_shift] == split_;
    if (splits && elements_ <= most_by_vectors &&
        note_all_split(update, origin, first, here, found)) {
      continue;
    }
    const Chunk mine = chunk_of(task, kind);
    for (std::int32_t i = 0; i < here; ++i) {
      const std::int64_t element = origin + first[i];
      Chunk& chunk = chunks_[element >> chunk_shift];
      touch(element >> chunk_shift);
      if (note_mine(chunk, mine, elements_of(element, 1), once_mask(kind))) [[likely]]
        continue;
      if (anywhere && chunk != split_) split_around(element >> chunk_shift);
      found |= note_one(update, element);
    }
  }
  return found;
}

inline std::uint32_t RaceDetector::note_one(const Update& update, std::int64_t element) {
  const std::int64_t chunk = element >> chunk_shift;
  if (load(chunks_[chunk]) != split_) {
    std::uint32_t found = nothing;
    if (note_whole(update, chunk, std::uint32_t{1} << element % chunk_elements, found)) {
      return found;
    }
    split(chunk);
  }
  return note_record(update, records_[place_of(element)]);
}

/// Notes elements whose chunks are all split, and adds what it found; false, and nothing noted,
/// where another chunk is among them. All records are loaded before the first is stored: so no load
/// waits for a store to an address that only looks the same. Equal elements become equal records.
bool RaceDetector::note_all_split(const Update& update, std::int64_t origin,
                                  const std::int32_t* index, std::int32_t count,
                                  std::uint32_t& found) {
  constexpr std::int32_t vectors = block / vector_lanes;
  const auto first = static_cast<std::uint32_t>(origin);
  const std::int32_t used = (count + vector_lanes - 1) / vector_lanes;
  LaneVector place[vectors];
  LaneVector differs{};
  const std::uint32_t* const who = reinterpret_cast<const std::uint32_t*>(chunks_) + high_half;
  for (std::int32_t v = 0; v < used; ++v) {
    const std::int32_t begin = v * vector_lanes;
    const std::int32_t* lanes = index + begin;
    std::int32_t last[vector_lanes];
    if (begin + vector_lanes > count) {  // behind them nothing may be read
      std::fill_n(last, vector_lanes, index[0]);
      std::copy(lanes, index + count, last);
      lanes = last;
    }
    const LaneVector element = load_lanes(lanes) + first;
    const LaneVector chunk = element >> chunk_shift;
    differs |= gather_lanes(who, chunk << 1) ^ static_cast<Record>(split_ >> 32);
    place[v] = element + chunk;
  }
  if (any_lane(differs)) return false;
  LaneVector record[vectors];
  SignedLaneVector races{};
  SignedLaneVector repeats{};
  for (std::int32_t v = 0; v < used; ++v) {
    const LaneVector seen = gather_lanes(records_, place[v]);
    races |= update.race(seen);
    repeats |= update.again(seen);
    record[v] = update(seen);
  }
  for (std::int32_t v = 0; v < used; ++v) {
    scatter_lanes(record[v], records_, place[v], count - v * vector_lanes);
  }
  found |= found_in(races, repeats);
  return true;
}

std::uint32_t RaceDetector::note_split(const Update& update, std::int64_t chunk,
                                       std::uint32_t elements) {
  split(chunk);
  const std::int64_t origin = chunk * chunk_elements;
  std::uint32_t found = nothing;
  if (concurrent_) {
    for (; elements != 0; elements &= elements - 1) {
      found |= note_record(update, records_[place_of(origin + std::countr_zero(elements))]);
    }
    return found;
  }
  const std::int32_t begin = std::countr_zero(elements);
  Record* const first = records_ + place_of(origin + begin);
  Block records(first, std::popcount(elements));
  found = records.note(update);
  records.store(first);
  return found;
}

std::uint32_t RaceDetector::note_record(const Update& update, Record& record) {
  Record seen = load(record);
  for (;;) {
    const std::uint32_t found = update.found(seen);
    const Record next = update(seen);
    if (found == Found::race || next == seen || replace(record, seen, next)) return found;
  }
}

void RaceDetector::split_around(std::int64_t chunk) {
  const std::int64_t first = chunk / group_chunks * group_chunks;
  const std::int64_t end = std::min(first + group_chunks, chunks_of(elements_));
  for (std::int64_t i = first; i < end; ++i) split(i);
}

/// Gives each element of a chunk its own record, if that has not been done in this phase.
void RaceDetector::split(std::int64_t chunk) {
  touch(chunk);
  Chunk& record = chunks_[chunk];
  Chunk seen = load(record);
  while (seen != split_) {
    if (seen == (split_ | splitting)) {  // by another thread
      seen = load(record);
      continue;
    }
    if (!replace(record, seen, split_ | splitting)) continue;
    const auto who = static_cast<Record>(seen >> 32);
    if (who >= several_ << how_bits) {
      for (auto used = static_cast<std::uint32_t>(seen); used != 0; used &= used - 1) {
        const std::int64_t element = chunk * chunk_elements + std::countr_zero(used);
        std::atomic_ref(records_[place_of(element)]).store(who, std::memory_order_relaxed);
      }
    }
    seen = split_ | splitting;
    while (!replace(record, seen, split_)) {
    }
    return;
  }
}

std::int64_t RaceDetector::first_race(std::span<const RaceDetector* const> detectors,
                                      std::int64_t begin, std::int64_t end) {
  const std::int64_t chunks = (end + chunk_elements - 1) >> chunk_shift;
  for (std::int64_t i = begin >> chunk_shift; i < chunks; i += group_chunks) {
    const auto count = [&](const auto& uses) {
      return std::count_if(detectors.begin(), detectors.end(), uses);
    };
    if (count([i](const auto* one) { return one->groups_[i >> group_shift] == one->several_; }) < 2)
      continue;
    for (std::int64_t j = i; j < std::min(i + group_chunks, chunks); ++j) {
      if (count([j](const auto* one) { return one->is_used(one->chunks_[j]); }) < 2) continue;
      const std::int64_t raced = race_in_chunk(detectors, j);
      if (raced != nobody) return raced;
    }
  }
  return nobody;
}

std::int64_t RaceDetector::race_in_chunk(std::span<const RaceDetector* const> detectors,
                                         std::int64_t chunk) {
  constexpr std::uint32_t atomic = 1U << how_of(Touch::min);  // the largest that several may do
  for (std::int32_t v = 0; v < chunk_elements / vector_lanes; ++v) {
    LaneVector before{};
    SignedLaneVector races{};
    for (const RaceDetector* const one : detectors) {
      if (!one->is_used(one->chunks_[chunk])) continue;
      const LaneVector uses = Uses(*one, chunk)[v];
      const LaneVector both = before | uses;
      races |= (before != 0U) & (uses != 0U) & ((both > atomic) | ((both & (both - 1U)) != 0U));
      before |= uses;
    }
    if (!any_lane(races)) continue;
    std::int32_t lane = 0;
    while (races[lane] == 0) ++lane;
    return chunk * chunk_elements + v * vector_lanes + lane;
  }
  return nobody;
}

}  // namespace agpusim
