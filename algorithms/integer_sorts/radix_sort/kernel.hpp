#pragma once

#include <cstdint>
#include <utility>

#include "agpusim/algorithms/common/operators.hpp"
#include "agpusim/algorithms/common/segments.hpp"
#include "agpusim/algorithms/integer_sorts/radix_sort/digit.hpp"
#include "agpusim/algorithms/integer_sorts/radix_sort/warp_ranks.hpp"
#include "agpusim/algorithms/scan/methods.hpp"
#include "agpusim/model/loop.hpp"
#include "agpusim/model/registers.hpp"

// A stable H-P sort of pairs by one digit, in three phases (theory 3.7, S3): how often each digit
// occurs in each task's segment; where the pairs of each segment with each digit begin; and the
// pairs, tile by tile, sorted in shared memory and written in runs of one digit.
namespace agpusim::radix_sort {

/// counts[v·tasks + t] = how often digit v occurs in segment t.
struct CountDigits {
  static constexpr const char* name = "count_digits";

  Cut cut;
  Digit digit;

  [[nodiscard]] std::int64_t shared_bytes() const {
    return (digit.values() + 1) / 2 * std::int64_t{8};
  }

  template <class Mp, class Keys, class Counts>
  AGPUSIM_FN void operator()(Mp& mp, Keys keys, Counts counts) const {
    const Segments segments = cut.segments(mp);
    const Keys segment = keys.from(segments.first(mp.task()));
    const auto own = mp.template shared<std::int32_t>(digit.values(), "counts");
    const auto one = mp.varying(std::int32_t{1});
    const auto zero = mp.varying(std::int32_t{0});
    for_lanes(mp, digit.values(), [&](const auto& v) { own.write(v, zero); });
    mp.sync();
    stream_lanes<8>(
        mp, static_cast<std::int32_t>(segments.length(mp.task())),
        [&](const auto& i) { return segment.read(i); },
        [&](const auto&, const auto& key) { own.atomic_add(digit.of(key), one); });
    mp.sync();
    const Counts to = counts.from(mp.task());
    const auto tasks = static_cast<std::int32_t>(segments.tasks);
    for_lanes(mp, digit.values(), [&](const auto& v) { to.write(v * tasks, own.read(v)); });
  }
};

/// counts[v·tasks + t] becomes how often digit v occurs in the segments before t, and totals[v] how
/// often it occurs at all: a task for each digit.
struct ScanCounts {
  static constexpr const char* name = "scan_counts";
  static constexpr bool oblivious = true;

  std::int64_t tasks;  ///< segments
  scan::LaneSerial method;

  [[nodiscard]] std::int64_t shared_bytes() const {
    return method.template shared_bytes<std::int32_t>();
  }

  template <class Mp, class Counts, class Totals>
  AGPUSIM_FN void operator()(Mp& mp, Counts counts, Totals totals) const {
    const Counts row = counts.from(mp.task() * tasks);
    const auto lane = mp.lane();
    const auto total = method.template scan<operators::Sum<std::int32_t>>(
        mp, scan::Kind::exclusive, row, row, tasks, mp.varying(std::int32_t{0}));
    mp.when(lane == 0, [&] { totals.from(mp.task()).write(lane, total); });
  }
};

/// The pairs of every segment go to their places, in their order where the digit is the same. A
/// tile is V·c pairs, of which each warp takes b·c neighbours.
template <class Value>
struct MovePairs {
  static constexpr const char* name = "move_pairs";

  Cut cut;
  Digit digit;
  std::int32_t warps;  ///< warps of a task

  [[nodiscard]] std::int64_t shared_bytes() const {
    const auto even = [](std::int64_t words) { return (words + 1) / 2 * 8; };
    const std::int64_t tile = cut.how().width * pairs_per_lane;
    const std::int64_t values = digit.values();
    return even(tile) + (tile * std::int64_t{sizeof(Value)} + 7) / 8 * 8 + even(warps * values) +
           even(values);
  }

  template <class Mp, class Keys, class Values, class Counts, class Totals>
  AGPUSIM_FN void operator()(Mp& mp, Keys keys, Values values, Counts before, Totals totals,
                             Keys sorted_keys, Values sorted_values) const {
    const Segments segments = cut.segments(mp);
    const std::int64_t first = segments.first(mp.task());
    const std::int64_t length = segments.length(mp.task());
    const std::int32_t tile = mp.width() * pairs_per_lane;
    Task<Mp> task(mp, *this);
    task.begin(before.from(mp.task()), totals, static_cast<std::int32_t>(segments.tasks));
    for (std::int64_t start = 0; start < length; start += tile) {
      if (start > 0) task.go_on();
      const std::int64_t rest = length - start;
      const std::int32_t count = rest < tile ? static_cast<std::int32_t>(rest) : tile;
      task.move(keys.from(first + start), values.from(first + start), count, sorted_keys,
                sorted_values);
    }
  }

 private:
  /// A task with its shared memory.
  template <class Mp>
  class Task {
   public:
    using Key = std::uint32_t;
    using Index = typename Mp::template Lane<std::int32_t>;

    AGPUSIM_FN Task(Mp& mp, const MovePairs& kernel)
        : mp_(mp),
          digit_(kernel.digit),
          radix_(kernel.digit.values()),
          lane_(mp.lane()),
          warp_counts_(mp.lane() / mp.warp_width() * radix_),
          tile_keys_(mp.template shared<Key>(mp.width() * pairs_per_lane, "tile of keys")),
          tile_values_(mp.template shared<Value>(mp.width() * pairs_per_lane, "tile of values")),
          counts_(mp.template shared<std::int32_t>(kernel.warps * radix_, "counts of warps")),
          places_(mp.template shared<std::int32_t>(radix_, "places")) {}

    /// The places of the segment's first pairs with each digit.
    template <class Counts, class Totals>
    AGPUSIM_FN void begin(const Counts& before, const Totals& totals, std::int32_t tasks) {
      for_digits([&](const auto& v) { return totals.read(v); },
                 [&](const auto& v, const auto& smaller) {
                   places_.write(v, smaller + before.read(v * tasks));
                 });
    }
    /// The places of the next pairs with each digit, after a whole tile.
    AGPUSIM_FN void go_on() {
      for_lanes(mp_, radix_, [&](const auto& v) {
        auto end = mp_.varying(tile_keys_.size());  // end of the digit's pairs in the tile
        mp_.when(v < radix_ - 1, [&] { end = counts_.read(v + 1) + 1; });
        places_.write(v, places_.read(v) + end);
      });
      mp_.sync();
    }

    /// Moves the next `count` pairs of the segment.
    template <class Keys, class Values>
    AGPUSIM_FN void move(const Keys& keys, const Values& values, std::int32_t count,
                         const Keys& sorted_keys, const Values& sorted_values) {
      const bool full = count == mp_.width() * pairs_per_lane;
      const auto zero = mp_.varying(std::int32_t{0});
      const std::int32_t b = mp_.warp_width();
      const auto from = lane_ / b * (b * pairs_per_lane) + lane_ % b;
      // Keys of pairs that are not there have the largest digit and stay behind all others.
      const auto own_keys = make_registers<pairs_per_lane>([&](std::int32_t j) {
        return read_row(keys, from, j * b, count, full, digit_.last_key());
      });
      for_lanes(mp_, counts_.size(), [&](const auto& i) { counts_.write(i, zero); });
      mp_.sync();
      auto ranks = ranks_in_warps(own_keys);
      mp_.sync();
      place_digits();
      mp_.sync();
      AGPUSIM_UNROLL
      for (std::int32_t j = 0; j < pairs_per_lane; ++j) {
        ranks[j] = ranks[j] + counts_.read(warp_counts_ + digit_.of(own_keys[j]));
        tile_keys_.write(ranks[j], own_keys[j]);
      }
      const auto own_values = make_registers<pairs_per_lane>(
          [&](std::int32_t j) { return read_row(values, from, j * b, count, full, Value{}); });
      AGPUSIM_UNROLL
      for (std::int32_t j = 0; j < pairs_per_lane; ++j) tile_values_.write(ranks[j], own_values[j]);
      mp_.sync();
      const auto write = [&](const auto& i) {
        const auto key = tile_keys_.read(i);
        const auto place = i + places_.read(digit_.of(key));
        sorted_keys.write(place, key);
        sorted_values.write(place, tile_values_.read(i));
      };
      if (full) {
        AGPUSIM_UNROLL
        for (std::int32_t j = 0; j < pairs_per_lane; ++j) write(lane_ + j * mp_.width());
      } else {
        for_lanes(mp_, count, write);
      }
      mp_.sync();
    }

   private:
    /// Elements `from` + `row` of the next `count`; `none` where there are not so many.
    template <class View, class T>
    AGPUSIM_FN auto read_row(const View& view, const Index& from, std::int32_t row,
                             std::int32_t count, bool full, T none) const {
      if (full) return view.read(from + row);
      auto element = mp_.varying(none);
      mp_.when(from < count - row, [&] { element = view.read(from + row); });
      return element;
    }

    /// How many pairs of the warp with the same digit there are up to each, itself included; counts
    /// them.
    template <class Keys>
    AGPUSIM_FN Registers<Index, pairs_per_lane> ranks_in_warps(const Keys& keys) const {
      const auto in_warp = lane_ % mp_.warp_width();
      const auto lanes_up_to = whole_warp(mp_) >> ((mp_.warp_width() - 1) - in_warp);
      return make_registers<pairs_per_lane>([&](std::int32_t j) {
        const auto key_digit = digit_.of(keys[j]);
        const auto counter = warp_counts_ + key_digit;
        const auto equal = equal_lanes(mp_, key_digit);
        const auto up_to = popcount(equal & lanes_up_to);
        // The last of the lanes with a digit counts for all of them.
        const auto last = highest_bit(equal);
        auto count = mp_.varying(std::int32_t{0});
        mp_.when(in_warp == last, [&] { count = counts_.fetch_add(counter, up_to); });
        return mp_.shuffle(count, last) + up_to;
      });
    }

    /// From how often each digit occurs in each warp: the place in the tile before its keys of each
    /// warp, and how far from the tile's places those in the result are.
    AGPUSIM_FN void place_digits() {
      const std::int32_t words = counts_.size();
      for_digits(
          [&](const auto& v) {
            auto sum = counts_.read(v);
            for (std::int32_t at = radix_; at < words; at += radix_) {
              sum = sum + counts_.read(v + at);
            }
            return sum;
          },
          [&](const auto& v, const auto& smaller) {
            auto place = smaller - 1;
            for (std::int32_t at = 0; at < words; at += radix_) {
              const auto count = counts_.read(v + at);
              counts_.write(v + at, place);
              place = place + count;
            }
            places_.write(v, places_.read(v) - smaller);
          });
    }

    /// use(v, sum of count(w) over the digits w before v) for every digit v. The tile of keys,
    /// which holds nothing then, is where warps put their sums.
    template <class Count, class Use>
    AGPUSIM_FN void for_digits(Count count, Use use) {
      auto carry = mp_.varying(std::int32_t{0});
      for (std::int32_t start = 0; start < radix_; start += mp_.width()) {
        const auto v = lane_ + start;
        const bool full = radix_ - start >= mp_.width();
        auto mine = mp_.varying(std::int32_t{0});
        scan::for_first_lanes(mp_, full ? mp_.width() : radix_ - start, [&] { mine = count(v); });
        const auto smaller = carry + sum_before(mp_, tile_keys_, mine);
        scan::for_first_lanes(mp_, full ? mp_.width() : radix_ - start, [&] { use(v, smaller); });
        if (radix_ - start <= mp_.width()) return;
        mp_.sync();
        const auto first = mp_.varying(std::int32_t{0});
        mp_.when(lane_ == mp_.width() - 1,
                 [&] { tile_keys_.write(first, cast<Key>(smaller + mine)); });
        mp_.sync();
        carry = cast<std::int32_t>(tile_keys_.read(first));
        mp_.sync();
      }
    }

    Mp& mp_;
    Digit digit_;
    std::int32_t radix_;
    Index lane_;
    Index warp_counts_;  // where the counts of the lane's warp begin
    decltype(std::declval<Mp&>().template shared<Key>(0, "")) tile_keys_;
    decltype(std::declval<Mp&>().template shared<Value>(0, "")) tile_values_;
    decltype(std::declval<Mp&>().template shared<std::int32_t>(0, "")) counts_;
    decltype(std::declval<Mp&>().template shared<std::int32_t>(0, "")) places_;
  };
};

}  // namespace agpusim::radix_sort
