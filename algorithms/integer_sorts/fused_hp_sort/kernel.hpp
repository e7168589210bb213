#pragma once

#include <cstdint>

#include "agpusim/algorithms/common/segments.hpp"
#include "agpusim/model/scalar.hpp"

namespace agpusim::fused_hp_sort {

/// out[i] = min + the smallest v with ends[v] > i, for every place i of the segments: the sorted
/// keys from the inclusive prefix sums `ends` of the counts of their `range` values. Every group of
/// b lanes writes a contiguous piece of the task's segment, a block per row, and goes on to the
/// next value where its run ends: most rows read nothing.
struct FillRuns {
  static constexpr const char* name = "fill_runs";

  Cut cut;  ///< segments of the places
  std::int32_t min_key;
  std::int32_t range;

  template <class Mp, class Ends, class Out>
  AGPUSIM_FN void operator()(Mp& mp, Ends ends, Out out) const {
    const Segments segments = cut.segments(mp);
    const std::int64_t first = segments.first(mp.task());
    const auto length = static_cast<std::int32_t>(segments.length(mp.task()));
    const Out to = out.from(first);
    const std::int32_t block = mp.template lanes_per_pass<std::int32_t>();
    const std::int32_t places = mp.width() / block * block;  // a row's, by whole groups of lanes
    const std::int32_t rows = (length + places - 1) / places;
    const auto lane = mp.lane();
    auto at = lane / block * (rows * block) + lane % block;
    auto run = mp.varying(std::int32_t{0});
    auto end = ends.read(run);
    for (std::int32_t row = 0; row < rows; ++row) {
      mp.when(at < length, [&] {
        const auto place = at + static_cast<std::int32_t>(first);
        mp.when(end <= place, [&] { find_run(mp, ends, place, run, end); });
        to.write(at, run + min_key);
      });
      at = at + block;
    }
  }

 private:
  /// Moves on to the first run that ends beyond `place`: by steps that double, then by halves. The
  /// run, which ends at `end`, does not; the last one does.
  template <class Mp, class Ends, class Lane>
  AGPUSIM_FN void find_run(Mp& mp, const Ends& ends, const Lane& place, Lane& run,
                           Lane& end) const {
    constexpr std::int32_t longest_step = 1 << 30;
    const std::int32_t last = range - 1;
    auto before = run;
    auto step = mp.varying(std::int32_t{1});
    run = run + 1;
    end = ends.read(run);
    mp.while_any([&] { return end <= place; },
                 [&] {
                   before = run;
                   step = min(step, longest_step / 2) * 2;
                   run = run + min(step, last - run);
                   end = ends.read(run);
                 });
    mp.while_any([&] { return run - before > 1; },
                 [&] {
                   const auto middle = before + ((run - before) >> 1);
                   const auto middle_end = ends.read(middle);
                   const auto beyond = middle_end > place;
                   before = select(beyond, before, middle);
                   run = select(beyond, middle, run);
                   end = select(beyond, middle_end, end);
                 });
  }
};

}  // namespace agpusim::fused_hp_sort
