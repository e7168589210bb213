#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "agpusim/model/loop.hpp"
#include "agpusim/tests/cuda/vocabulary_check.hpp"

// The words of the vocabulary that are no operators, as kernels and as the C++ loops they stand
// for.
namespace agpusim::test {

/// Shared memory, when, otherwise, while_any, uniform, for_lanes and stream_lanes, on elements T.
template <class T>
struct ControlFlow {
  static constexpr const char* name = "control_flow";
  static constexpr std::int32_t outputs = 4;  // outputs of every lane

  std::int32_t width;

  [[nodiscard]] std::int64_t shared_bytes() const {
    return (static_cast<std::int64_t>(sizeof(T)) * width + 7) / 8 * 8;
  }

  template <class Mp, class In, class Out, class Steps>
  AGPUSIM_FN void operator()(Mp& mp, In all, Out out, Steps steps_out) const {
    const In in = all.from(mp.task() * mp.width());
    const Out mine = out.from(outputs * mp.task() * mp.width());
    const auto lane = mp.lane();
    const auto row = mp.template shared<T>(width, "row");
    const auto x = in.read(lane);
    row.write(lane, x);
    mp.sync();
    auto y = row.read((width - 1) - lane);
    mine.write(lane, y);
    mp.when(
        x < y, [&] { y = x; }, [&] { mp.when(lane >= 5, [&] { y = mp.varying(T{1}); }); });
    mine.from(width).write(lane, y);
    auto left = lane % 7;
    auto steps = mp.varying(std::int32_t{0});
    mp.while_any([&] { return left > 0; },
                 [&] {
                   left = left - 1;
                   mp.when(left != 2, [&] { steps = steps + mp.uniform(mp.varying(2)); });
                 });
    steps_out.from(mp.task() * mp.width()).write(lane, steps);
    const std::int32_t partial = width - 3;
    const Out third = mine.from(2 * std::int64_t{width});
    for_lanes(mp, width, [&](const auto& i) { third.write(i, mp.varying(T{7})); });
    const Out fourth = mine.from(3 * std::int64_t{width});
    fourth.write(lane, mp.varying(T{9}));
    stream_lanes(
        mp, partial, [&](const auto& i) { return in.read(i); },
        [&](const auto& i, const auto& loaded) { fourth.write(i, loaded); });
  }
};

template <class T, class Device>
void check_control_flow(Device& device, std::int32_t width) {
  const std::int64_t n = 4 * std::int64_t{width};
  std::vector<T> in = table_inputs<T>(n);
  in.resize(static_cast<std::size_t>(n));
  std::vector<T> expected;
  std::vector<std::int32_t> expected_steps;
  for (std::size_t first = 0; first < in.size(); first += static_cast<std::size_t>(width)) {
    const auto v = static_cast<std::size_t>(width);
    std::vector<T> rows[ControlFlow<T>::outputs];
    for (std::size_t lane = 0; lane < v; ++lane) {
      const T x = in[first + lane];
      const T y = in[first + v - 1 - lane];
      rows[0].push_back(y);
      rows[1].push_back(x < y ? x : lane >= 5 ? T{1} : y);
      rows[2].push_back(T{7});
      rows[3].push_back(lane < v - 3 ? x : T{9});
      std::int32_t steps = 0;
      for (std::size_t left = lane % 7; left > 0;) {
        --left;
        if (left != 2) steps += 2;
      }
      expected_steps.push_back(steps);
    }
    for (const std::vector<T>& row : rows) expected.insert(expected.end(), row.begin(), row.end());
  }
  const auto in_array = device.template allocate<T>(n, "in");
  const auto out = device.template allocate<T>(n * ControlFlow<T>::outputs, "out");
  const auto steps = device.template allocate<std::int32_t>(n, "steps");
  device.template upload<T>(in_array, in);
  device.launch(n / width, ControlFlow<T>{width}, in_array, out, steps);
  INFO(type_name<T>() << ", V = " << width);
  CHECK(device.download(out) == expected);
  CHECK(device.download(steps) == expected_steps);
}

/// Atomic operations on words T: a sum, a maximum and a minimum of the even and of the odd lanes,
/// in global memory over all tasks and in shared memory of each.
template <class T>
struct Atomics {
  static constexpr const char* name = "atomics";
  static constexpr std::int32_t words = 6;

  [[nodiscard]] std::int64_t shared_bytes() const { return words * sizeof(T); }

  template <class Mp, class In, class Out>
  AGPUSIM_FN void operator()(Mp& mp, In in, Out totals, Out out) const {
    const auto lane = mp.lane();
    const auto x = in.from(mp.task() * mp.width()).read(lane);
    const auto shared = mp.template shared<T>(words, "shared");
    const auto slot = lane % 2;
    mp.when(lane < words, [&] { shared.write(lane, totals.from(words).read(lane)); });
    mp.sync();
    shared.atomic_add(slot, x);
    shared.atomic_max(slot + 2, x);
    shared.atomic_min(slot + 4, x);
    mp.sync();
    mp.when(lane < words, [&] { out.from(words * mp.task()).write(lane, shared.read(lane)); });
    totals.atomic_add(slot, x);
    totals.from(2).atomic_max(slot, x);
    totals.from(4).atomic_min(slot, x);
  }
};

template <class T, class Device>
void check_atomics(Device& device, std::int32_t width) {
  const std::int64_t n = 4 * std::int64_t{width};
  std::vector<T> in = table_inputs<T>(n);
  in.resize(static_cast<std::size_t>(n));
  constexpr T least = std::numeric_limits<T>::lowest();
  constexpr T most = std::numeric_limits<T>::max();
  const std::vector<T> start{T{0}, T{0}, least, least, most, most};
  const auto take = [](std::vector<T>& totals, std::size_t slot, T x) {
    totals[slot] = static_cast<T>(totals[slot] + x);
    totals[slot + 2] = std::max(totals[slot + 2], x);
    totals[slot + 4] = std::min(totals[slot + 4], x);
  };
  std::vector<T> totals = start;
  std::vector<T> expected;
  for (std::size_t first = 0; first < in.size(); first += static_cast<std::size_t>(width)) {
    std::vector<T> task = start;
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(width); ++lane) {
      take(task, lane % 2, in[first + lane]);
      take(totals, lane % 2, in[first + lane]);
    }
    expected.insert(expected.end(), task.begin(), task.end());
  }
  // The words from which shared memory starts stand behind the totals.
  totals.insert(totals.end(), start.begin(), start.end());
  std::vector<T> initial = start;
  initial.insert(initial.end(), start.begin(), start.end());

  const auto in_array = device.template allocate<T>(n, "in");
  const auto totals_array = device.template allocate<T>(2 * Atomics<T>::words, "totals");
  const auto out = device.template allocate<T>(n / width * Atomics<T>::words, "out");
  device.template upload<T>(in_array, in);
  device.template upload<T>(totals_array, initial);
  device.launch(n / width, Atomics<T>{}, in_array, totals_array, out);
  INFO(type_name<T>() << ", V = " << width);
  CHECK(device.download(totals_array) == totals);
  CHECK(device.download(out) == expected);
}

/// What lanes of a warp tell each other: the lanes with the same value of `bits` bits by votes, the
/// value of the next lane, and places in a shared counter for each such value.
template <class T>
struct WarpWords {
  static constexpr const char* name = "warp_words";
  static constexpr std::int32_t bits = 2;

  std::int32_t warps;

  [[nodiscard]] std::int64_t shared_bytes() const {
    return (warps << bits) * std::int64_t{sizeof(T)};
  }

  template <class Mp, class In, class Others, class Places>
  AGPUSIM_FN void operator()(Mp& mp, In all, Others others, Places places) const {
    const auto lane = mp.lane();
    const std::int32_t b = mp.warp_width();
    const In in = all.from(mp.task() * mp.width());
    const auto counters = mp.template shared<T>(warps << bits, "counters");
    for_lanes(mp, warps << bits, [&](const auto& i) { counters.write(i, mp.varying(T{0})); });
    mp.sync();
    const auto in_warp = lane % b;
    const auto x = in.read(lane);
    others.from(mp.task() * mp.width()).write(lane, mp.shuffle(x, (in_warp + 1) % b));
    for (std::int32_t row = 0; row < 2; ++row) {
      const auto value = cast<std::int32_t>(x >> (2 * row) & T{3});
      auto equal = mp.varying(~std::uint32_t{0} >> (32 - b));
      for (std::int32_t bit = 0; bit < bits; ++bit) {
        const auto set = (value & (1 << bit)) != 0;
        equal = equal & select(set, mp.vote(set), mp.vote(!set));
      }
      const auto before = popcount(equal & ((std::uint32_t{1} << in_warp) - std::uint32_t{1}));
      auto place = mp.varying(T{0});
      mp.when(before == 0, [&] {
        place = counters.fetch_add((lane / b << bits) + value, cast<T>(popcount(equal)));
      });
      const auto first = popcount((equal - std::uint32_t{1}) & (equal ^ ~std::uint32_t{0}));
      places.from((mp.task() * 2 + row) * mp.width())
          .write(lane, cast<std::int32_t>(mp.shuffle(place, first)) + before);
    }
  }
};

template <class T, class Device>
void check_warp_words(Device& device, std::int32_t width, std::int32_t b) {
  const std::int64_t n = 4 * std::int64_t{width};
  std::vector<T> in = table_inputs<T>(n);
  in.resize(static_cast<std::size_t>(n));
  std::vector<T> expected;
  std::vector<std::int32_t> expected_places(2 * in.size());
  const auto v = static_cast<std::size_t>(width);
  for (std::size_t first = 0; first < in.size(); first += static_cast<std::size_t>(b)) {
    std::int32_t seen[1 << WarpWords<T>::bits] = {};
    for (std::size_t i = 0; i < static_cast<std::size_t>(b); ++i) {
      expected.push_back(in[first + (i + 1) % static_cast<std::size_t>(b)]);
    }
    for (std::size_t row = 0; row < 2; ++row) {
      for (std::size_t i = first; i < first + static_cast<std::size_t>(b); ++i) {
        std::int32_t& place = seen[in[i] >> (2 * row) & T{3}];
        expected_places[(i / v * 2 + row) * v + i % v] = place++;
      }
    }
  }
  const auto in_array = device.template allocate<T>(n, "in");
  const auto others = device.template allocate<T>(n, "others");
  const auto places = device.template allocate<std::int32_t>(2 * n, "places");
  device.template upload<T>(in_array, in);
  device.launch(n / width, WarpWords<T>{width / b}, in_array, others, places);
  INFO(type_name<T>() << ", V = " << width);
  CHECK(device.download(others) == expected);
  CHECK(device.download(places) == expected_places);
}

/// Wide accesses to shared and to global memory: the groups of `count` elements of a task from the
/// last to the first, every second one through shared memory under a mask.
template <class T, std::int32_t count>
struct WideAccesses {
  static constexpr const char* name = "wide_accesses";

  std::int32_t width;

  [[nodiscard]] std::int64_t shared_bytes() const {
    return std::int64_t{count} * width * std::int64_t{sizeof(T)};
  }

  template <class Mp, class In, class Out>
  AGPUSIM_FN void operator()(Mp& mp, In all, Out all_out) const {
    const In in = all.from(mp.task() * mp.width() * count);
    const Out out = all_out.from(mp.task() * mp.width() * count);
    const auto lane = mp.lane();
    const auto tile = mp.template shared<T>(count * width, "tile");
    auto group = in.template read_wide<count>(lane * count);
    tile.write_wide(lane * count, group);
    mp.sync();
    mp.when(lane % 2 == 0, [&] {
      group = tile.template read_wide<count>(((width - 1) - lane) * count);
      group[0] = group[count - 1];
    });
    out.write_wide(lane * count, group);
  }
};

template <class T, std::int32_t count, class Device>
void check_wide_accesses(Device& device, std::int32_t width) {
  const std::int64_t tasks = 3;
  const std::int64_t n = tasks * width * count;
  std::vector<T> in = table_inputs<T>(n);
  in.resize(static_cast<std::size_t>(n));
  std::vector<T> expected = in;
  const auto at = [&](std::int64_t task, std::int32_t lane) {
    return static_cast<std::size_t>((task * width + lane) * count);
  };
  for (std::int64_t task = 0; task < tasks; ++task) {
    for (std::int32_t lane = 0; lane < width; lane += 2) {
      const std::size_t from = at(task, width - 1 - lane);
      const std::size_t to = at(task, lane);
      for (std::size_t j = 0; j < count; ++j) expected[to + j] = in[from + j];
      expected[to] = in[from + count - 1];
    }
  }
  const auto in_array = device.template allocate<T>(n, "in");
  const auto out = device.template allocate<T>(n, "out");
  device.template upload<T>(in_array, in);
  device.launch(tasks, WideAccesses<T, count>{width}, in_array, out);
  INFO(type_name<T>() << ", V = " << width << ", " << count << " neighbours");
  CHECK(device.download(out) == expected);
}

/// Everything that is no operator, on every type of element.
template <class Device>
void check_words(Device& device, std::int32_t width) {
  const auto of_elements = [&]<class... T>(std::tuple<T...>) {
    (check_control_flow<T>(device, width), ...);
  };
  of_elements(std::tuple<std::int8_t, std::uint16_t, std::int32_t, std::uint64_t, float, double>());
  const auto of_words = [&]<class... T>(std::tuple<T...>) {
    (check_atomics<T>(device, width), ...);
  };
  of_words(std::tuple<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>());
  check_warp_words<std::uint32_t>(device, width, device.spec().block_words);
  check_warp_words<std::uint64_t>(device, width, device.spec().block_words);
  check_wide_accesses<std::uint32_t, 2>(device, width);
  check_wide_accesses<float, 4>(device, width);
  check_wide_accesses<std::int64_t, 2>(device, width);
}

}  // namespace agpusim::test
