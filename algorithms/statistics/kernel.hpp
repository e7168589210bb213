#pragma once

#include <cstdint>
#include <utility>

#include "agpusim/algorithms/common/segments.hpp"
#include "agpusim/algorithms/statistics/extremes.hpp"
#include "agpusim/model/loop.hpp"

// One pass over the numbers: every task leaves a record of its contiguous segment (theory 3.8 with
// the monoid of 3.13); records merge in the same way until one is left. The array of the records of
// k tasks holds field f of task t at element f·k + t.
namespace agpusim::statistics {

/// Rows of numbers whose loads are under way together: enough to fill the memory system when a lane
/// holds this kernel's registers.
inline constexpr std::int32_t number_rows_in_flight = 16;

/// Rows of records, each of several words, whose loads are under way together.
inline constexpr std::int32_t record_rows_in_flight = 2;

template <std::int32_t count>
inline constexpr auto field_numbers = std::make_integer_sequence<std::int32_t, count>{};

/// A task that needs V records in shared memory, one field after the other.
template <class Word, std::int32_t count>
struct LaneRecords {
  std::int32_t width;  ///< V

  [[nodiscard]] std::int64_t shared_bytes() const {
    return std::int64_t{width} * count * std::int64_t{sizeof(Word)};
  }

  /// Lane 0's record becomes the combination of those of lanes 0, ..., lanes-1, by a tree.
  template <class Mp, class Lane, class Combine>
  AGPUSIM_FN void fold(Mp& mp, Fields<Lane, count>& mine, std::int32_t lanes,
                       const Combine& combine) const {
    const auto lane = mp.lane();
    const auto tree = mp.template shared<Word>(width * count, "tree");
    const auto put = [&] {
      for (std::int32_t f = 0; f < count; ++f) tree.write(lane + f * width, mine.at[f]);
    };
    put();
    while (lanes > 1) {
      const std::int32_t half = (lanes + 1) / 2;
      mp.sync();
      mp.when(lane < lanes - half, [&] {
        const auto other =
            make_fields<Lane>([&](std::int32_t f) { return tree.read(lane + (half + f * width)); },
                              field_numbers<count>);
        combine(mine.at, other.at);
        put();
      });
      lanes = half;
    }
  }
};

/// Lane 0 writes record number `record` of `records`.
template <class Mp, class Out, class Lane, std::int32_t count>
AGPUSIM_FN void write_record(Mp& mp, const Out& out, std::int64_t record, std::int64_t records,
                             const Fields<Lane, count>& fields) {
  const auto lane = mp.lane();
  for (std::int32_t f = 0; f < count; ++f) out.from(f * records + record).write(lane, fields.at[f]);
}

/// Elements -> one record per task.
template <class T, class Moments>
struct SummariseSegments {
  using Word = word_t<T>;
  using Parts = Extremes<T>;
  static constexpr std::int32_t lane_fields = Parts::fields + Moments::sums;
  static constexpr std::int32_t fields = Parts::fields + Moments::fields;
  static constexpr const char* name = "summarise_segments";
  static constexpr bool oblivious = true;

  Cut cut;
  std::int32_t width;  ///< V

  [[nodiscard]] std::int64_t shared_bytes() const {
    return LaneRecords<Word, lane_fields>{width}.shared_bytes();
  }

  template <class Mp, class In, class Out>
  AGPUSIM_FN void operator()(Mp& mp, In in, Out out) const {
    using Field = typename Mp::template Lane<Word>;
    const Segments segments = cut.segments(mp);
    const std::int64_t first = segments.first(mp.task());
    const auto length = static_cast<std::int32_t>(segments.length(mp.task()));
    const In segment = in.from(first);
    typename Parts::template Lanes<Mp> extremes(mp);
    typename Moments::template Lanes<Mp> moments(mp, segment, segments.n);
    stream_lanes<number_rows_in_flight>(
        mp, length, [&](const auto& i) { return segment.read(i); },
        [&](const auto& i, const auto& x) {
          extremes.absorb(i, x);
          moments.absorb(x);
        });

    const auto zero = [&](std::int32_t) { return mp.varying(Word{}); };
    auto lane_record = make_fields<Field>(zero, field_numbers<lane_fields>);
    extremes.store(first, lane_record.at);
    moments.store(lane_record.at + Parts::fields);
    LaneRecords<Word, lane_fields>{width}.fold(
        mp, lane_record, length < width ? length : width, [](Field* mine, const Field* other) {
          Parts::combine(mine, other);
          Moments::add(mine + Parts::fields, other + Parts::fields);
        });
    mp.when(mp.lane() == 0, [&] {
      auto record = make_fields<Field>(zero, field_numbers<fields>);
      for (std::int32_t f = 0; f < lane_fields; ++f) record.at[f] = lane_record.at[f];
      moments.finish(mp, length, record.at + Parts::fields);
      write_record(mp, out, mp.task(), segments.tasks, record);
    });
  }
};

/// Records -> one record per task.
template <class T, class Moments>
struct MergeRecords {
  using Word = word_t<T>;
  using Parts = Extremes<T>;
  static constexpr std::int32_t fields = Parts::fields + Moments::fields;
  static constexpr const char* name = "merge_records";
  static constexpr bool oblivious = true;

  Cut cut;             ///< segments of the records
  std::int32_t width;  ///< V

  [[nodiscard]] std::int64_t shared_bytes() const {
    return LaneRecords<Word, fields>{width}.shared_bytes();
  }

  template <class Mp, class In, class Out>
  AGPUSIM_FN void operator()(Mp& mp, In in, Out out) const {
    using Field = typename Mp::template Lane<Word>;
    const Segments segments = cut.segments(mp);
    const std::int64_t first = segments.first(mp.task());
    const auto length = static_cast<std::int32_t>(segments.length(mp.task()));
    const std::int32_t lanes = length < width ? length : width;
    const auto lane = mp.lane();
    const auto combine = [](Field* mine, const Field* other) {
      Parts::combine(mine, other);
      Moments::merge(mine + Parts::fields, other + Parts::fields);
    };
    const auto read = [&](std::int64_t from, const auto& i) {
      return make_fields<Field>(
          [&](std::int32_t f) { return in.from(f * segments.n + first + from).read(i); },
          field_numbers<fields>);
    };
    auto mine =
        make_fields<Field>([&](std::int32_t) { return mp.varying(Word{}); }, field_numbers<fields>);
    mp.when(lane < lanes, [&] { mine = read(0, lane); });
    stream_lanes<record_rows_in_flight>(
        mp, length - lanes, [&](const auto& i) { return read(width, i); },
        [&](const auto&, const auto& other) { combine(mine.at, other.at); });
    LaneRecords<Word, fields>{width}.fold(mp, mine, lanes, combine);
    mp.when(lane == 0, [&] { write_record(mp, out, mp.task(), segments.tasks, mine); });
  }
};

/// Elements -> the record, by lane 0 of one task: the seed's single thread (its times Ts).
template <class T, class Moments>
struct SummariseByOneLane {
  using Word = word_t<T>;
  using Parts = Extremes<T>;
  static constexpr std::int32_t fields = Parts::fields + Moments::fields;
  static constexpr const char* name = "summarise_by_one_lane";
  static constexpr bool oblivious = true;

  std::int32_t n;

  template <class Mp, class In, class Out>
  AGPUSIM_FN void operator()(Mp& mp, In in, Out out) const {
    using Field = typename Mp::template Lane<Word>;
    const auto lane = mp.lane();
    mp.when(lane == 0, [&] {
      typename Parts::template Lanes<Mp> extremes(mp);
      typename Moments::template Lanes<Mp> moments(mp, in, n);
      auto turns = mp.turns();
      for (std::int32_t start = 0; start < n; ++start) {
        start = turns.next(start, n, 1);
        const auto i = lane + start;
        const auto x = in.read(i);
        extremes.absorb(i, x);
        moments.absorb(x);
      }
      auto record = make_fields<Field>([&](std::int32_t) { return mp.varying(Word{}); },
                                       field_numbers<fields>);
      extremes.store(0, record.at);
      moments.store(record.at + Parts::fields);
      moments.finish(mp, n, record.at + Parts::fields);
      write_record(mp, out, 0, 1, record);
    });
  }
};

}  // namespace agpusim::statistics
