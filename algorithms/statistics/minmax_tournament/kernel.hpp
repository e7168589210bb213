#pragma once

#include <cstdint>

#include "agpusim/model/loop.hpp"

namespace agpusim::tournament {

/// out[i] = in[i]. Task t takes `per_task` neighbouring elements.
struct Copy {
  static constexpr const char* name = "copy";
  static constexpr bool oblivious = true;

  std::int64_t size;
  std::int32_t per_task;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const std::int64_t first = mp.task() * per_task;
    const std::int64_t rest = size - first;
    const View from = in.from(first);
    const View to = out.from(first);
    stream_lanes(
        mp, rest < per_task ? static_cast<std::int32_t>(rest) : per_task,
        [&](const auto& i) { return from.read(i); },
        [&](const auto& i, const auto& value) { to.write(i, value); });
  }
};

/// The pairs of an array of which a task takes `per_task` neighbouring ones.
struct Pairs {
  std::int64_t count;
  std::int32_t per_task;

  /// `play(i, v1, v2, front, back)` for every pair i of the task, v1 = in[2i+1] and v2 = in[2i];
  /// element i of `front` and `back` are element i of the two halves of `out`.
  template <class Mp, class View, class Play>
  AGPUSIM_FN void play(Mp& mp, const View& in, const View& out, Play play) const {
    const std::int64_t first = mp.task() * per_task;
    const std::int64_t rest = count - first;
    const View odd = in.from(2 * first + 1);
    const View even = in.from(2 * first);
    const View front = out.from(first);
    const View back = out.from(count + first);
    stream_lanes(
        mp, rest < per_task ? static_cast<std::int32_t>(rest) : per_task,
        [&](const auto& i) {
          const auto at = i * 2;
          return Loaded2{odd.read(at), even.read(at)};
        },
        [&](const auto& i, const auto& pair) { play(i, pair.first, pair.second, front, back); });
  }
};

/// The larger number of each pair to the front half, the smaller one to the back half, by a branch
/// as printed: where the lanes of a warp disagree it stores four times instead of twice.
struct Compare {
  static constexpr const char* name = "compare";

  Pairs pairs;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    pairs.play(
        mp, in, out,
        [&](const auto& i, const auto& v1, const auto& v2, const auto& front, const auto& back) {
          mp.when(
              v1 > v2,
              [&] {
                front.write(i, v1);
                back.write(i, v2);
              },
              [&] {
                front.write(i, v2);
                back.write(i, v1);
              });
        });
  }
};

/// Compare without a branch.
struct CompareSelect {
  static constexpr const char* name = "compare_select";
  static constexpr bool oblivious = true;

  Pairs pairs;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    pairs.play(
        mp, in, out,
        [](const auto& i, const auto& v1, const auto& v2, const auto& front, const auto& back) {
          front.write(i, max(v1, v2));
          back.write(i, min(v1, v2));
        });
  }
};

}  // namespace agpusim::tournament
