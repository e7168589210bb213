#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/out_of_core/aliasing.hpp"
#include "agpusim/algorithms/out_of_core/hash_kernels.hpp"
#include "agpusim/algorithms/out_of_core/sort.hpp"
#include "agpusim/algorithms/out_of_core/transform.hpp"
#include "agpusim/model/error.hpp"

// A hash table larger than device memory. Which slots linear probing takes does not depend on the
// order of insertion (Peterson 1957), and hashes in order are homes in order: the table is built
// and searched window by window, each of which crosses the link once.
namespace agpusim::out_of_core {

/// A table with linear probing in host memory.
struct HashTable {
  Homes homes;
  HostPiece<std::uint64_t> slots;  ///< size_of(homes.count)

  /// Slots of a table; those behind the homes are for what overflows.
  [[nodiscard]] static std::int64_t size_of(std::int64_t homes) { return homes + most_overflow; }
};

/// What windows of a table need on the device, of every stream.
template <class Streams>
struct HashArrays {
  template <class T>
  using Array = typename Streams::template Array<T>;

  std::vector<Array<std::uint64_t>> hashes;  ///< to insert or to search for
  std::vector<Array<std::uint64_t>> slots;   ///< slots of the window, and behind it
  std::vector<Array<std::uint64_t>> before;  ///< hashes that may have overflowed into the window
  std::vector<Array<std::int64_t>> shift;    ///< slot of each hash less its number
  std::vector<Array<std::int64_t>> partials;
  std::vector<Array<double>> found;
  std::vector<Array<std::int32_t>> bad;    ///< one: what left the window
  std::vector<Array<std::int64_t>> carry;  ///< one of all streams: the largest displacement so far
  std::int64_t room;                       ///< hashes that are in a window's buffer at once

  /// Throws UsageError for windows whose slots 32 bits do not number.
  HashArrays(Streams& streams, const Chunks& windows) : room(room_of(windows.buffer())) {
    if (HashTable::size_of(windows.buffer()) > std::numeric_limits<std::int32_t>::max()) {
      throw UsageError(fmt::format("hash table: windows of {} slots; use chunks below 2^31 - 1024",
                                   windows.buffer()));
    }
    for (std::int32_t s = 0; s < windows.used_streams(); ++s) {
      hashes.push_back(streams.template allocate<std::uint64_t>(room, "hashes"));
      slots.push_back(
          streams.template allocate<std::uint64_t>(HashTable::size_of(windows.buffer()), "slots"));
      before.push_back(streams.template allocate<std::uint64_t>(most_overflow, "before"));
      shift.push_back(streams.template allocate<std::int64_t>(room, "shift"));
      partials.push_back(
          streams.template allocate<std::int64_t>(most_partials(streams.spec(), room), "partials"));
      found.push_back(streams.template allocate<double>(room, "found"));
      bad.push_back(streams.template allocate<std::int32_t>(1, "bad"));
      streams.set(s, bad.back(), std::int32_t{0});
    }
    carry.push_back(streams.template allocate<std::int64_t>(1, "carry"));
  }

 private:
  /// As many hashes as homes, spread at random, are rarely 8 standard deviations more.
  [[nodiscard]] static std::int64_t room_of(std::int64_t homes) {
    return homes + static_cast<std::int64_t>(8 * std::sqrt(static_cast<double>(homes))) + 64;
  }
};

namespace detail {

/// Where the hashes of every window begin in `sorted`, and their end, found by the host when they
/// have `arrived`; evenly spread where there are no data.
template <class Streams>
std::vector<std::int64_t> borders_of(Streams& streams, HostPiece<const std::uint64_t> sorted,
                                     const Homes& homes, const Chunks& windows,
                                     std::span<const Event> arrived) {
  std::vector<std::int64_t> borders{0};
  const auto find = [&] {
    for (std::int64_t j = 1; j < windows.count(); ++j) {
      const std::int64_t slot = windows.first(j);
      if constexpr (Streams::has_data) {
        const std::span all(sorted.data(), static_cast<std::size_t>(sorted.size()));
        const auto at = std::partition_point(
            all.begin(), all.end(), [&](std::uint64_t hash) { return homes.home(hash) < slot; });
        borders.push_back(at - all.begin());
      } else {
        borders.push_back(static_cast<std::int64_t>(static_cast<double>(sorted.size()) *
                                                    static_cast<double>(slot) /
                                                    static_cast<double>(windows.n)));
      }
    }
  };
  streams.host("borders", 0, 0, arrived, find);
  if constexpr (!Streams::has_data) find();
  borders.push_back(sorted.size());
  return borders;
}

/// Calls use(first, count) for the pieces of hashes begin..end-1 that fit the buffer.
template <class Use>
void for_pieces(std::int64_t begin, std::int64_t end, std::int64_t room, Use use) {
  for (std::int64_t at = begin; at < end; at += room) use(at, std::min(room, end - at));
}

[[noreturn]] inline void refuse_cluster() {
  throw UsageError(
      fmt::format("hash table: {} slots behind a window, or behind the homes, are not enough for "
                  "the hashes in a row there; use more homes, or a hash function that spreads the "
                  "keys",
                  most_overflow));
}

/// Throws UsageError where a step up to `last` has counted what left its window.
template <class Streams>
void check_overflow(Streams& streams, const HashArrays<Streams>& arrays, Event last) {
  const std::int64_t count = std::ssize(arrays.bad);
  const HostPiece<std::int32_t> bad = streams.template scratch<std::int32_t>(count);
  std::vector<Event> counted;
  for (std::int32_t s = 0; s < count; ++s) {
    streams.wait(s, last);
    counted.push_back(streams.template copy_out<std::int32_t>(
        s, arrays.bad[static_cast<std::size_t>(s)], bad.piece(s, 1)));
  }
  streams.host("check", 0, 0, counted, [&] {
    if (std::any_of(bad.data(), bad.data() + count, [](std::int32_t n) { return n != 0; })) {
      refuse_cluster();
    }
  });
}

}  // namespace detail

/// Puts `sorted` hashes, ascending, of which none is empty_slot, into a table whose homes `windows`
/// cut, and for which `arrays` are; equal ones lie behind each other. `arrived`: what writes them.
/// Returns the copies of the table. Throws UsageError when more than most_overflow hashes cross the
/// border of a window, or leave no empty slot behind the homes. Plans take a load of 1/2.
template <class Streams>
std::vector<Event> hash_insert(Streams& streams, const HashArrays<Streams>& arrays,
                               HostPiece<const std::uint64_t> sorted, const HashTable& table,
                               const Chunks& windows, std::span<const Event> arrived,
                               const Control& control = {}) {
  const std::vector<std::int64_t> borders =
      detail::borders_of(streams, sorted, table.homes, windows, arrived);
  streams.set(0, arrays.carry.front(), operators::Max<std::int64_t>::identity);
  std::vector<Event> written;
  Event last = -1;
  for (std::int64_t j = 0; j < windows.count(); ++j) {
    control.report(j, windows.count());
    const ChunkTurn turn = turn_of(streams, windows, j);
    const std::int64_t first = borders[static_cast<std::size_t>(j)];
    const std::int64_t end = borders[static_cast<std::size_t>(j) + 1];
    const bool is_last = j + 1 == windows.count();
    const HashWindow window{turn.first, is_last ? table.slots.size() - turn.first : turn.length};
    const std::int64_t before = std::min(first, most_overflow);
    const auto fetch = [&](std::int64_t at, std::int64_t count) {
      streams.template copy_in<std::uint64_t>(turn.stream, sorted.piece(at, count),
                                              arrays.hashes[turn.s]);
    };
    if (before > 0) {
      streams.template copy_in<std::uint64_t>(turn.stream, sorted.piece(first - before, before),
                                              arrays.before[turn.s]);
    }
    // The first hashes cross the link while the window before is filled.
    if (first < end) fetch(first, std::min(arrays.room, end - first));
    if (last >= 0) streams.wait(turn.stream, last);
    last = streams.run(turn.stream, OpenWindowStep<>{window.size, before, first, window.begin},
                       arrays.before[turn.s], arrays.carry.front(), arrays.slots[turn.s],
                       arrays.bad[turn.s]);
    detail::for_pieces(first, end, arrays.room, [&](std::int64_t at, std::int64_t count) {
      if (at > first) fetch(at, count);
      last = streams.run(turn.stream, InsertStep<>{count, at, table.homes, window},
                         arrays.hashes[turn.s], arrays.shift[turn.s], arrays.partials[turn.s],
                         arrays.carry.front(), arrays.slots[turn.s]);
    });
    written.push_back(streams.template copy_out<std::uint64_t>(
        turn.stream, arrays.slots[turn.s], table.slots.piece(window.begin, window.size)));
  }
  const HostPiece<std::int64_t> shift = streams.template scratch<std::int64_t>(1);
  streams.wait(0, last);
  const std::vector<Event> known{
      streams.template copy_out<std::int64_t>(0, arrays.carry.front(), shift)};
  streams.host("check", 0, 0, known, [&] {
    if (sorted.size() > 0 && sorted.size() + *shift.data() >= table.slots.size()) {
      detail::refuse_cluster();
    }
  });
  detail::check_overflow(streams, arrays, last);
  return written;
}

/// out[i] = the slot of `sorted[i]`, or -1 - the empty slot where the search for it ended, of
/// ascending hashes in a table whose homes `windows` cut, and for which `arrays` are. `arrived`:
/// what writes them and the table. Throws UsageError when a search goes on for most_overflow slots
/// behind a window.
template <class Streams>
void hash_find(Streams& streams, const HashArrays<Streams>& arrays,
               HostPiece<const std::uint64_t> sorted, const HashTable& table, HostPiece<double> out,
               const Chunks& windows, std::span<const Event> arrived, const Control& control = {}) {
  const std::vector<std::int64_t> borders =
      detail::borders_of(streams, sorted, table.homes, windows, arrived);
  const HostPiece<const std::uint64_t> slots = table.slots;
  Event last = -1;
  for (std::int64_t j = 0; j < windows.count(); ++j) {
    control.report(j, windows.count());
    const std::int64_t first = borders[static_cast<std::size_t>(j)];
    const std::int64_t end = borders[static_cast<std::size_t>(j) + 1];
    if (first == end) continue;
    const ChunkTurn turn = turn_of(streams, windows, j);
    const HashWindow window{turn.first,
                            std::min(slots.size() - turn.first, turn.length + most_overflow)};
    streams.template copy_in<std::uint64_t>(turn.stream, slots.piece(window.begin, window.size),
                                            arrays.slots[turn.s]);
    detail::for_pieces(first, end, arrays.room, [&](std::int64_t at, std::int64_t count) {
      streams.template copy_in<std::uint64_t>(turn.stream, sorted.piece(at, count),
                                              arrays.hashes[turn.s]);
      last = streams.run(turn.stream, FindStep<>{count, table.homes, window}, arrays.hashes[turn.s],
                         arrays.slots[turn.s], arrays.found[turn.s], arrays.bad[turn.s]);
      streams.template copy_out<double>(turn.stream, arrays.found[turn.s], out.piece(at, count));
    });
  }
  if (last >= 0) detail::check_overflow(streams, arrays, last);
}

/// Host memory of hash_table() for n keys.
struct HashScratch {
  HostPiece<std::uint64_t> hashes;    ///< n
  HostPiece<std::uint64_t> sorted;    ///< n
  HostPiece<std::uint64_t> inserted;  ///< n / 2
  HostPiece<std::uint64_t> runs;      ///< n
  HostPiece<std::uint64_t> table;     ///< size_of(homes_of(n))

  /// Home slots for n / 2 keys at a load of 1/2.
  [[nodiscard]] static std::int64_t homes_of(std::int64_t n) {
    return std::max<std::int64_t>(n / 2 * 2, 1);
  }
  [[nodiscard]] static std::int64_t words(std::int64_t n) {
    return 3 * n + n / 2 + HashTable::size_of(homes_of(n));
  }
  /// The parts of words(n) words.
  [[nodiscard]] static HashScratch of(HostPiece<std::uint64_t> memory, std::int64_t n) {
    std::int64_t taken = 0;
    const auto take = [&](std::int64_t size) {
      taken += size;
      return memory.piece(taken - size, size);
    };
    HashScratch scratch;
    scratch.hashes = take(n);
    scratch.sorted = take(n);
    scratch.inserted = take(n / 2);
    scratch.runs = take(n);
    scratch.table = take(HashTable::size_of(homes_of(n)));
    return scratch;
  }
};

/// The first half of `keys` (see HashOfKey) is put into a table with linear probing and a load of
/// 1/2, then all of them are searched for: out[i] is the slot of the key with the i-th smallest
/// hash, or -1 - the empty slot where its search ended. Keys become hashes in one pass, those of
/// the half and all of them are sorted in two passes each, the table is written once and read once.
template <class Streams>
void hash_table(Streams& streams, HostPiece<const double> keys, HostPiece<double> out,
                const HashScratch& scratch, const Chunks& chunks, const Control& control = {}) {
  if (chunks.n == 0) return;
  refuse_aliasing(keys, "keys", out, "out");
  constexpr std::int64_t phases = 5;
  constexpr std::int64_t steps = 1000;  // steps of a phase, as they are reported
  const auto phase = [&](std::int64_t number) {
    Control part = control;
    if (control.progress) {
      part.progress = [&control, number](std::int64_t done, std::int64_t of) {
        control.progress(number * steps + done * steps / std::max<std::int64_t>(of, 1),
                         phases * steps);
      };
    }
    return part;
  };
  const HashTable table{{HashScratch::homes_of(chunks.n)}, scratch.table};
  const Chunks half{chunks.n / 2, chunks.size, chunks.streams};
  const Chunks windows{table.homes.count, chunks.size, chunks.streams};
  const InOutArrays<double, std::uint64_t, Streams> of_keys(streams, chunks);
  const InOutArrays<std::uint64_t, std::uint64_t, Streams> of_hashes(streams, chunks);
  const HashArrays<Streams> of_table(streams, windows);

  const std::vector<Event> hashed = detail::transform_through(
      streams, of_keys, keys, scratch.hashes, chunks, HashOfKey{}, phase(0));
  streams.host("wait", 0, 0, hashed, [] {});
  const HostPiece<const std::uint64_t> hashes = scratch.hashes;
  const std::vector<Event> inserted =
      detail::sort_through(streams, of_hashes, hashes.piece(0, half.n), scratch.inserted,
                           scratch.runs.piece(0, half.n), half, phase(1));
  const std::vector<Event> written =
      hash_insert(streams, of_table, HostPiece<const std::uint64_t>(scratch.inserted), table,
                  windows, inserted, phase(2));
  std::vector<Event> arrived = detail::sort_through(streams, of_hashes, hashes, scratch.sorted,
                                                    scratch.runs, chunks, phase(3));
  arrived.insert(arrived.end(), written.begin(), written.end());
  hash_find(streams, of_table, HostPiece<const std::uint64_t>(scratch.sorted), table, out, windows,
            arrived, phase(4));
  streams.finish();
  control.report(phases * steps, phases * steps);
}

}  // namespace agpusim::out_of_core
