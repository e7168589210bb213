#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/segments.hpp"
#include "agpusim/algorithms/scan/methods.hpp"

// The phases of a scan on AGPU (theory 3.8). Reduce-then-scan: every task reduces its segment; one
// task scans the partial results; every task scans its segment from what lies before it.
// Scan-then-add: every task scans its segment by itself and adds what lies before it afterwards.
namespace agpusim::scan {

/// The exclusive scan of the partial results, in place, by one task: they become what lies before
/// each segment, `init` included.
template <class Operator, class Method>
struct ScanPartials {
  using T = typename Operator::value_type;
  static constexpr const char* name = "scan_partials";
  static constexpr bool oblivious = true;

  std::int64_t count;  ///< partial results
  Method method;
  T init;

  [[nodiscard]] std::int64_t shared_bytes() const { return method.template shared_bytes<T>(); }

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View partials) const {
    method.template scan<Operator>(mp, Kind::exclusive, partials, partials, count,
                                   mp.varying(init));
  }
};

/// The scan of every segment, from what `before` has for it. The last segment comes first: of what
/// the reduction read, a cache holds the end.
template <class Operator, class Method>
struct ScanSegments {
  using T = typename Operator::value_type;
  static constexpr const char* name = "scan_segments";
  static constexpr bool oblivious = true;

  Cut cut;
  Method method;
  Kind kind;

  [[nodiscard]] std::int64_t shared_bytes() const { return method.template shared_bytes<T>(); }

  template <class Mp, class In, class Before, class Out, class... Length>
  AGPUSIM_FN void operator()(Mp& mp, In in, Before before, Out out, Length... view) const {
    const Segments segments = cut.segments(mp, view...);
    if (mp.task() >= segments.tasks || segments.n == 0) return;
    const std::int64_t task = segments.tasks - 1 - mp.task();
    const std::int64_t first = segments.first(task);
    const std::int64_t length = segments.length(task);
    const auto carry = before.from(task).read(mp.varying(std::int32_t{0}));
    method.template scan<Operator>(mp, kind, in.from(first), out.from(first), length, carry);
  }
};

/// The scan of every segment by itself; its fold becomes element `task` of `partials`.
template <class Operator, class Method>
struct ScanAlone {
  using T = typename Operator::value_type;
  static constexpr const char* name = "scan_alone";
  static constexpr bool oblivious = true;

  Cut cut;
  Method method;
  Kind kind;

  [[nodiscard]] std::int64_t shared_bytes() const { return method.template shared_bytes<T>(); }

  template <class Mp, class In, class Out, class Partials>
  AGPUSIM_FN void operator()(Mp& mp, In in, Out out, Partials partials) const {
    const Segments segments = cut.segments(mp);
    const std::int64_t first = segments.first(mp.task());
    const auto fold =
        method.template scan<Operator>(mp, kind, in.from(first), out.from(first),
                                       segments.length(mp.task()), mp.varying(Operator::identity));
    const auto lane = mp.lane();
    mp.when(lane == 0, [&] { partials.from(mp.task()).write(lane, fold); });
  }
};

/// Combines element `task` of `before` with every element of the segment, in place.
template <class Operator>
struct AddBefore {
  static constexpr const char* name = "add_before";
  static constexpr bool oblivious = true;

  Cut cut;

  template <class Mp, class Before, class Out>
  AGPUSIM_FN void operator()(Mp& mp, Before before, Out out) const {
    const Operator combine;
    const Segments segments = cut.segments(mp);
    const auto segment = out.from(segments.first(mp.task()));
    const auto first = before.from(mp.task()).read(mp.varying(std::int32_t{0}));
    stream_lanes<tile_rows_in_flight>(
        mp, static_cast<std::int32_t>(segments.length(mp.task())),
        [&](const auto& i) { return segment.read(i); },
        [&](const auto& i, const auto& x) { segment.write(i, combine(first, x)); });
  }
};

}  // namespace agpusim::scan
