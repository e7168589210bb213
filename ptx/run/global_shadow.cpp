#include "agpusim/ptx/run/global_shadow.hpp"

#include <algorithm>
#include <bit>

#include "agpusim/ptx/run/warp.hpp"

namespace agpusim::ptx {
namespace {

constexpr std::uint64_t elements_of_chunk = 32;
constexpr std::size_t first_chunks = 64;
constexpr std::size_t most_chunks = std::size_t{1} << 22;  // half of it used: all are forgotten

// A pattern is strength << 19 | origin << 8 | shift << 5 | warp: element e of the chunk is used by
// lane (e - origin) >> shift of the warp; of whole_warp by all of its lanes.
constexpr std::uint32_t whole_warp = 7;
constexpr std::uint32_t zero_origin = 1024;  // origins are -1,008 to 31

std::uint32_t pattern_of(std::uint32_t warp, std::uint32_t shift, std::int64_t origin,
                         Strength strength) {
  return static_cast<std::uint32_t>(strength) << 19 |
         static_cast<std::uint32_t>(origin + zero_origin) << 8 | shift << 5 | warp;
}
std::uint32_t warp_in(std::uint32_t pattern) { return pattern & 31; }
std::uint32_t shift_in(std::uint32_t pattern) { return pattern >> 5 & 7; }
Strength strength_in(std::uint32_t pattern) { return static_cast<Strength>(pattern >> 19); }
std::uint32_t threads_in(std::uint32_t pattern, std::uint32_t element) {
  if (shift_in(pattern) == whole_warp) return threads::of_warp(warp_in(pattern));
  const std::uint32_t origin = pattern >> 8 & 2047;
  return threads::of(warp_in(pattern) * warp_lanes +
                     ((element + zero_origin - origin) >> shift_in(pattern)));
}

}  // namespace

void GlobalShadow::clear() {
  ++generation_;
  used_ = 0;
  notes_.clear();
}

GlobalShadow::Chunk& GlobalShadow::chunk_of(std::uint64_t number) {
  if (last_ < chunks_.size() && chunks_[last_].number == number &&
      chunks_[last_].generation == generation_) {
    return chunks_[last_];
  }
  if (2 * used_ >= chunks_.size()) grow();
  constexpr std::uint64_t mixer = 0x9E3779B97F4A7C15;
  const std::size_t mask = chunks_.size() - 1;
  std::size_t at = (number * mixer >> 32) & mask;
  for (;; at = (at + 1) & mask) {
    Chunk& chunk = chunks_[at];
    last_ = at;
    if (chunk.generation != generation_) {
      chunk = {number, generation_, 0, {}, {}};
      ++used_;
      return chunk;
    }
    if (chunk.number == number) return chunk;
  }
}

void GlobalShadow::grow() {
  if (chunks_.size() >= most_chunks) return clear();
  std::vector<Chunk> before = std::move(chunks_);
  chunks_.assign(std::max(first_chunks, 4 * before.size()), {});
  used_ = 0;
  for (const Chunk& chunk : before) {
    if (chunk.generation == generation_) chunk_of(chunk.number) = chunk;
  }
}

/// Whether all of these uses come before accesses of a pattern to some elements.
bool GlobalShadow::comes_before(const Order& order, const NotedRow& uses, std::uint32_t pattern,
                                std::uint32_t elements) const {
  if (uses.cta == 0 || (uses.elements & elements) == 0) return true;
  if (uses.cta != order.cta()) return false;
  if (uses.time <= order.floor()) return true;
  if (uses.pattern == pattern && shift_in(pattern) != whole_warp) return true;
  return uses.time <= order.known(warp_in(pattern), warp_in(uses.pattern));
}

/// Adds accesses to some elements; false where one row cannot tell of all.
bool GlobalShadow::replace(const Order& order, NotedRow& uses, std::uint32_t warp,
                           std::uint32_t pattern, std::uint32_t elements) const {
  const NotedRow mine{order.cta(), order.time(warp), pattern, elements};
  const bool is_old = uses.cta == order.cta() && uses.time <= order.floor() && words_ == nullptr;
  if (uses.cta == 0 || is_old) {
    uses = mine;
    return true;
  }
  if (uses.cta != order.cta()) return false;
  const bool holds_all = (uses.elements & ~elements) == 0;
  if (uses.pattern == pattern && (uses.time == mine.time || holds_all)) {
    uses.time = mine.time;
    uses.elements |= elements;
    return true;
  }
  if (!holds_all || !comes_before(order, uses, pattern, ~0U)) return false;
  uses = mine;
  return true;
}

GlobalShadow::Notes& GlobalShadow::split(Chunk& chunk) {
  if (chunk.split != 0) return notes_[chunk.split - 1];
  Notes& notes = notes_.emplace_back();
  chunk.split = static_cast<std::uint32_t>(notes_.size());
  const auto expand = [](const NotedRow& uses, std::array<Noted, 32>& to) {
    for_lanes(uses.cta == 0 ? 0 : uses.elements, [&](std::uint32_t e) {
      to[e] = {uses.cta,
               Note::of(uses.time, threads_in(uses.pattern, e), strength_in(uses.pattern)).bits};
    });
  };
  expand(chunk.write, notes.write);
  expand(chunk.read, notes.read);
  return notes;
}

/// Notes reads of elements that each have notes of their own; false, and perhaps noted in part,
/// where one may be a race, or lanes know what their warp does not.
bool GlobalShadow::read_split(const Order& order, const Chunk& chunk, std::uint32_t warp,
                              std::uint32_t pattern, std::uint32_t elements) {
  if (!order.is_simple()) return false;
  Notes& notes = notes_[chunk.split - 1];
  const Time known = std::max(order.floor(), order.known(warp, warp));
  const auto is_own = [&](Note note) {
    return threads::warp_above(note.threads()) == threads::of_warp(warp);
  };
  const auto is_before = [&](Noted use) {
    const Note note{use.bits};
    return use.cta == 0 || (use.cta == order.cta() && (note.time() <= order.floor() ||
                                                       (note.time() <= known && is_own(note))));
  };
  for (; elements != 0; elements &= elements - 1) {
    const auto e = static_cast<std::uint32_t>(std::countr_zero(elements));
    const std::uint32_t node = threads_in(pattern, e);
    const Note mine = Note::of(order.time(warp), node, strength_in(pattern));
    const bool is_of_thread = Note{notes.write[e].bits}.threads() == node &&
                              node >= threads::first_thread && notes.write[e].cta == order.cta();
    if (!is_of_thread && !is_before(notes.write[e])) return false;
    Noted& last = notes.read[e];
    if (is_before(last)) {
      last = {order.cta(), mine.bits};
    } else if (last.cta != order.cta()) {
      return false;
    } else {
      last.bits = Note{last.bits}.with(mine).bits;
    }
  }
  return true;
}

bool GlobalShadow::note(const Order& order, const Row& row, bool writes) {
  const std::uint32_t shift =
      row.per_lane == 0 ? whole_warp : static_cast<std::uint32_t>(std::countr_zero(row.per_lane));
  const std::uint64_t end = row.first + row.count;
  bool noted = true;
  for (std::uint64_t begin = row.first; begin < end;) {
    const std::uint64_t number = begin / elements_of_chunk;
    const std::uint64_t stop = std::min(end, (number + 1) * elements_of_chunk);
    const auto in_chunk = static_cast<std::uint32_t>(begin % elements_of_chunk);
    const std::uint32_t elements = ~0U >> (elements_of_chunk - (stop - begin)) << in_chunk;
    const auto origin = static_cast<std::int64_t>(row.first - number * elements_of_chunk) -
                        static_cast<std::int64_t>(row.lane * row.per_lane);
    const std::uint32_t pattern =
        pattern_of(row.warp, shift, row.per_lane == 0 ? 0 : origin, row.strength);
    Chunk& chunk = chunk_of(number);
    const bool fits =
        chunk.split == 0
            ? comes_before(order, chunk.write, pattern, elements) &&
                  (!writes || comes_before(order, chunk.read, pattern, elements)) &&
                  replace(order, writes ? chunk.write : chunk.read, row.warp, pattern, elements)
            : !writes && read_split(order, chunk, row.warp, pattern, elements);
    noted = noted && fits;
    begin = stop;
  }
  return noted;
}

bool GlobalShadow::is_before(const Order& order, Noted use, std::uint32_t thread,
                             bool of_read) const {
  if (use.cta == 0) return true;
  if (of_read && use.cta != order.cta() && order.has_looked()) return true;
  if (use.cta == several_ctas) return order.latest(thread) > use.bits;
  const Note note{use.bits};
  if (use.cta != order.cta()) return order.is_before(use.cta, note, thread);
  return of_read ? order.is_read_before(note, thread) : order.is_before(note, thread);
}

bool GlobalShadow::races(const Order& order, Noted use, std::uint32_t thread, Strength strength,
                         bool reads) {
  if (is_before(order, use, thread, reads)) return false;
  // Reads of several CTAs are one note when one of them is weak: see read().
  const Note note{use.bits};
  const bool is_near = use.cta == order.cta();
  const Strength other = use.cta == several_ctas ? Strength::weak : note.strength();
  const bool is_it = is_near ? is_race(note, thread, strength)
                             : strength <= Strength::of_cta || other <= Strength::of_cta;
  if (is_it) other_ = {use.cta, note, reads};
  return is_it;
}

bool GlobalShadow::read(const Order& order, std::uint64_t element, std::uint32_t thread,
                        Strength strength) {
  Notes& notes = split(chunk_of(element / elements_of_chunk));
  const std::size_t at = element % elements_of_chunk;
  const Note mine = Note::of(order.time(thread / warp_lanes), threads::of(thread), strength);
  Noted& last = notes.read[at];
  if (is_before(order, last, thread, true)) {
    last = {order.cta(), mine.bits};
  } else if (last.cta == order.cta()) {
    last.bits = Note{last.bits}.with(mine).bits;
  } else if (strength <= Strength::of_cta) {
    last = {several_ctas, words_ == nullptr ? 0 : words_->published};
  }
  return races(order, notes.write[at], thread, strength, false);
}

bool GlobalShadow::before_write(const Order& order, std::uint64_t element, std::uint32_t thread,
                                Strength strength) {
  const Notes& notes = split(chunk_of(element / elements_of_chunk));
  const std::size_t at = element % elements_of_chunk;
  return races(order, notes.write[at], thread, strength, false) ||
         races(order, notes.read[at], thread, strength, true);
}

bool GlobalShadow::note_write(const Order& order, std::uint64_t element, std::uint32_t thread,
                              Strength strength) {
  Noted& last = split(chunk_of(element / elements_of_chunk)).write[element % elements_of_chunk];
  const Note mine = Note::of(order.time(thread / warp_lanes), threads::of(thread), strength);
  const bool is_together = last.cta == order.cta() && is_of_one_time({last.bits}, mine);
  last = {order.cta(), mine.bits};
  return is_together;
}

}  // namespace agpusim::ptx
