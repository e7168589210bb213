#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/segments.hpp"
#include "agpusim/model/loop.hpp"

// Histograms of integer keys: bins[v] is the number of keys min_key + v, 0 <= v < range.
namespace agpusim::histogram {

/// Atomic additions in global memory, as in seed 000 (extension X1). The bins hold 0 before.
struct GlobalBins {
  static constexpr const char* name = "histogram_global";

  Cut cut;
  std::int32_t min_key;  ///< key of bin 0

  template <class Mp, class Keys, class Bins>
  AGPUSIM_FN void operator()(Mp& mp, Keys keys, Bins bins) const {
    const Segments segments = cut.segments(mp);
    const Keys segment = keys.from(segments.first(mp.task()));
    const auto one = mp.varying(std::int32_t{1});
    stream_lanes(
        mp, static_cast<std::int32_t>(segments.length(mp.task())),
        [&](const auto& i) { return segment.read(i); },
        [&](const auto&, const auto& key) {
          if (min_key == 0) {
            bins.atomic_add(key, one);
          } else {
            bins.atomic_add(key - min_key, one);
          }
        });
  }
};

/// Every task counts in bins of its own in shared memory, by atomic additions, and adds those that
/// are not 0 to the bins in global memory, which hold 0 before.
struct SharedBins {
  static constexpr const char* name = "histogram_shared";

  Cut cut;
  std::int32_t min_key;
  std::int32_t range;

  [[nodiscard]] std::int64_t shared_bytes() const {
    return range * std::int64_t{sizeof(std::int32_t)};
  }

  template <class Mp, class Keys, class Bins>
  AGPUSIM_FN void operator()(Mp& mp, Keys keys, Bins bins) const {
    const Segments segments = cut.segments(mp);
    const Keys segment = keys.from(segments.first(mp.task()));
    const auto own = mp.template shared<std::int32_t>(range, "bins");
    const auto one = mp.varying(std::int32_t{1});
    const auto zero = mp.varying(std::int32_t{0});
    for_lanes(mp, range, [&](const auto& bin) { own.write(bin, zero); });
    mp.sync();
    stream_lanes(
        mp, static_cast<std::int32_t>(segments.length(mp.task())),
        [&](const auto& i) { return segment.read(i); },
        [&](const auto&, const auto& key) {
          if (min_key == 0) {
            own.atomic_add(key, one);
          } else {
            own.atomic_add(key - min_key, one);
          }
        });
    mp.sync();
    for_lanes(mp, range, [&](const auto& bin) {
      const auto count = own.read(bin);
      mp.when(count != 0, [&] { bins.atomic_add(bin, count); });
    });
  }
};

/// Without atomics (theory 3.6 b): b keys at a time are sorted in shared memory; the last lane of a
/// run of equal keys at position i adds i+1 to the task's table, the first one subtracts its
/// position. Every task writes its table of `range` bins. V = b, a power of two.
struct SortedTables {
  static constexpr const char* name = "histogram_sorted";

  Cut cut;
  std::int32_t min_key;
  std::int32_t range;

  [[nodiscard]] std::int64_t shared_bytes() const {
    return (cut.how().width + range) * std::int64_t{sizeof(std::int32_t)};
  }

  template <class Mp, class Keys, class Tables>
  AGPUSIM_FN void operator()(Mp& mp, Keys keys, Tables tables) const {
    const Segments segments = cut.segments(mp);
    const std::int64_t length = segments.length(mp.task());
    const std::int32_t width = mp.width();
    const auto lane = mp.lane();
    const auto row = mp.template shared<std::int32_t>(width, "row");
    const auto table = mp.template shared<std::int32_t>(range, "table");
    const auto zero = mp.varying(std::int32_t{0});
    for_lanes(mp, range, [&](const auto& bin) { table.write(bin, zero); });
    for (std::int64_t start = 0; start < length; start += width) {
      const Keys from = keys.from(segments.first(mp.task()) + start);
      auto bin = mp.varying(range);  // lanes without a key sort behind all others
      if (length - start >= width) {
        bin = from.read(lane) - min_key;
      } else {
        mp.when(lane < static_cast<std::int32_t>(length - start),
                [&] { bin = from.read(lane) - min_key; });
      }
      mp.sync();
      row.write(lane, bin);
      sort_row(mp, row);
      mp.sync();
      add_runs(mp, row, table);
    }
    mp.sync();
    const Tables own = tables.from(mp.task() * std::int64_t{range});
    for_lanes(mp, range, [&](const auto& bin) { own.write(bin, table.read(bin)); });
  }

 private:
  /// Batcher's bitonic network over the V elements of a row, in ascending order.
  template <class Mp, class Row>
  AGPUSIM_FN static void sort_row(Mp& mp, const Row& row) {
    const auto lane = mp.lane();
    for (std::int32_t size = 2; size <= mp.width(); size *= 2) {
      for (std::int32_t stride = size / 2; stride > 0; stride /= 2) {
        mp.sync();
        mp.when(lane < mp.width() / 2, [&] {
          const auto low = lane * 2 - (lane & (stride - 1));
          const auto high = low + stride;
          const auto a = row.read(low);
          const auto b = row.read(high);
          const auto ascending = (low & size) == 0;
          row.write(low, select(ascending, min(a, b), max(a, b)));
          row.write(high, select(ascending, max(a, b), min(a, b)));
        });
      }
    }
  }

  /// Adds the length of every run of equal bins in the sorted row to the table.
  template <class Mp, class Row, class Table>
  AGPUSIM_FN void add_runs(Mp& mp, const Row& row, const Table& table) const {
    const auto lane = mp.lane();
    const std::int32_t last_lane = mp.width() - 1;
    const auto bin = row.read(lane);
    auto before = mp.varying(std::int32_t{-1});
    auto after = mp.varying(std::int32_t{-1});
    mp.when(lane >= 1, [&] { before = row.read(lane - 1); });
    mp.when(lane < last_lane, [&] { after = row.read(lane + 1); });
    const auto counts = bin < range;
    mp.when(counts && bin != after, [&] { table.write(bin, table.read(bin) + (lane + 1)); });
    mp.sync();
    mp.when(counts && bin != before, [&] { table.write(bin, table.read(bin) - lane); });
  }
};

/// bins[v] = the sum of the `tables` tables at v.
struct AddTables {
  static constexpr const char* name = "add_tables";

  Cut cut;  ///< segments of the bins
  std::int64_t tables;

  template <class Mp, class Tables, class Bins>
  AGPUSIM_FN void operator()(Mp& mp, Tables in, Bins out) const {
    const Segments segments = cut.segments(mp);
    const std::int64_t first = segments.first(mp.task());
    const Bins bins = out.from(first);
    for_lanes(mp, static_cast<std::int32_t>(segments.length(mp.task())), [&](const auto& bin) {
      auto sum = mp.varying(std::int32_t{0});
      for (std::int64_t table = 0; table < tables; ++table) {
        sum = sum + in.from(table * segments.n + first).read(bin);
      }
      bins.write(bin, sum);
    });
  }
};

}  // namespace agpusim::histogram
