#pragma once

#include <cstdint>

#include "agpusim/model/fn.hpp"

namespace agpusim {

/// How an array is cut into one contiguous segment per task.
struct Segmentation {
  std::int64_t width = 0;      ///< V, elements of a row
  std::int64_t max_tasks = 1;  ///< most segments
  std::int64_t min_rows = 1;   ///< fewest rows of V elements of a segment, but for the last
  std::int64_t unit_rows = 1;  ///< a segment has a multiple of so many rows, but for the last
};

/// The segments of an array of `n` elements: per_task elements each, the last one shorter. An empty
/// array has one empty segment.
struct Segments {
  std::int64_t n = 0;
  std::int64_t per_task = 0;  ///< a multiple of V
  std::int64_t tasks = 0;

  [[nodiscard]] AGPUSIM_FN std::int64_t first(std::int64_t task) const { return task * per_task; }
  /// Elements of a task's segment; 0 for a task beyond the last.
  [[nodiscard]] AGPUSIM_FN std::int64_t length(std::int64_t task) const {
    const std::int64_t rest = n - task * per_task;
    return rest < 0 ? 0 : rest < per_task ? rest : per_task;
  }
};

/// At most max_tasks segments, each of at least min_rows rows and of whole units.
[[nodiscard]] AGPUSIM_FN Segments cut(std::int64_t n, const Segmentation& how) {
  const std::int64_t rows = (n + how.width - 1) / how.width;
  const std::int64_t wanted = rows / how.min_rows;
  const std::int64_t tasks = wanted < 1 ? 1 : wanted < how.max_tasks ? wanted : how.max_tasks;
  const std::int64_t even = rows > 0 ? (rows + tasks - 1) / tasks : 1;
  const std::int64_t rows_per_task = (even + how.unit_rows - 1) / how.unit_rows * how.unit_rows;
  return {n, rows_per_task * how.width, rows > 0 ? (rows + rows_per_task - 1) / rows_per_task : 1};
}

/// The segments a kernel works on. The host knows them, or, where it knows the array's length only
/// as at most n, the kernel is given a view of the length and cuts by itself.
class Cut {
 public:
  /// The device finds its length in element `length_at`.
  Cut(std::int64_t n, const Segmentation& how, std::int64_t length_at = 0)
      : host_(cut(n, how)), how_(how), length_at_(length_at) {}

  [[nodiscard]] const Segments& host() const { return host_; }
  [[nodiscard]] const Segmentation& how() const { return how_; }
  /// Tasks to launch for any length up to n.
  [[nodiscard]] std::int64_t most_tasks() const {
    const std::int64_t wanted = (host_.n + how_.width - 1) / how_.width / how_.min_rows;
    return wanted < 1 ? 1 : wanted < how_.max_tasks ? wanted : how_.max_tasks;
  }

  template <class Mp>
  [[nodiscard]] AGPUSIM_FN Segments segments(Mp&) const {
    return host_;
  }
  [[nodiscard]] std::int64_t length_at() const { return length_at_; }
  /// The length is an element of `length`; every lane reads it.
  template <class Mp, class View>
  [[nodiscard]] AGPUSIM_FN Segments segments(Mp& mp, const View& length) const {
    return cut(mp.uniform(length.from(length_at_).read(mp.varying(std::int32_t{0}))), how_);
  }

 private:
  Segments host_;
  Segmentation how_;
  std::int64_t length_at_;
};

/// Calls `body(previous)`: previous(i) reads element `i - 1` of the segment that starts at element
/// `first` of an array, for lane index `i`; it is `none` before the array's first element.
template <class Mp, class View, class Value, class Body>
AGPUSIM_FN void with_previous(Mp& mp, const View& array, std::int64_t first, const Value& none,
                              const Body& body) {
  if (first > 0) {
    body([&](const auto& i) { return array.from(first - 1).read(i); });
    return;
  }
  body([&](const auto& i) {
    Value element = none;
    mp.when(i >= 1, [&] { element = array.read(i - 1); });
    return element;
  });
}

}  // namespace agpusim
