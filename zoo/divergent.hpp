#pragma once

#include "common.hpp"

namespace zoo {

/// Counts the ones of each element: a loop that clears the lowest one.
struct BitLoop {
  static constexpr const char* name = "bit_loop";
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      auto x = in.read(i);
      auto ones = mp.varying(0u);
      mp.while_any([&] { return x != 0u; },
                   [&] {
                     x = x & (x - 1u);
                     ones = ones + 1u;
                   });
      out.write(i, ones);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm bit_loop() {
  const auto program = each_lane<BitLoop>("ones");
  const auto reference = each_element(
      [](std::uint32_t x) { return static_cast<std::uint32_t>(agpusim::popcount(x)); });
  return row_of<std::uint32_t>("bit_loop", "the ones of each element, by a loop", program,
                               reference, io_of("2n/b", 2));
}

/// Steps of the Collatz sequence from the lowest 16 bits of x, plus 1, down to 1.
struct CollatzSteps {
  static constexpr const char* name = "collatz_steps";
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      auto x = (in.read(i) & 0xffffu) + 1u;
      auto steps = mp.varying(0u);
      mp.while_any([&] { return x != 1u; },
                   [&] {
                     mp.when((x & 1u) == 0u, [&] { x = x >> 1; }, [&] { x = x * 3u + 1u; });
                     steps = steps + 1u;
                   });
      out.write(i, steps);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm collatz_steps() {
  const auto program = each_lane<CollatzSteps>("steps");
  const auto reference = each_element([](std::uint32_t x) {
    std::uint32_t steps = 0;
    for (x = x % 65536 + 1; x != 1; ++steps) x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    return steps;
  });
  return row_of<std::uint32_t>("collatz_steps", "steps of Collatz sequences", program, reference,
                               io_of("2n/b", 2));
}

/// Turns of z = z^2 + c until |z| > 2, at most `limit`, for the points c of a square image.
struct Mandelbrot {
  static constexpr const char* name = "mandelbrot";
  std::int32_t side;
  std::int32_t limit;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View out) const {
    const auto i = global_index(mp);
    const float step = 3.0F / static_cast<float>(side);
    mp.when(i < side * side, [&] {
      const auto cx = agpusim::cast<float>(i % side) * step - 2.0F;
      const auto cy = agpusim::cast<float>(i / side) * step - 1.5F;
      auto x = mp.varying(0.0F);
      auto y = mp.varying(0.0F);
      auto turns = mp.varying(0);
      mp.while_any([&] { return x * x + y * y <= 4.0F && turns < limit; },
                   [&] {
                     const auto next = x * x - y * y + cx;
                     y = x * y * 2.0F + cy;
                     x = next;
                     turns = turns + 1;
                   });
      out.write(i, turns);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm mandelbrot() {
  const auto program = [](auto& run) {
    const std::int32_t side = side_of(run.n());
    const std::int64_t points = std::int64_t{side} * side;
    const auto out = run.template array<std::int32_t>(points, "turns");
    run.launch(ceil_div(points, run.width()), Mandelbrot{side, setting(run, "limit")}, out);
    run.result(out);
  };
  const auto reference = [](const auto& in, const agpusim::RunConfig& run) {
    const std::int32_t side = side_of(static_cast<std::int64_t>(in.size()));
    const float step = 3.0F / static_cast<float>(side);
    const auto limit = static_cast<std::int32_t>(setting(run, "limit"));
    std::vector<std::int32_t> out;
    for (std::int32_t i = 0; i < side * side; ++i) {
      const float cx = static_cast<float>(i % side) * step - 2.0F;
      const float cy = static_cast<float>(i / side) * step - 1.5F;
      float x = 0.0F;
      float y = 0.0F;
      std::int32_t turns = 0;
      for (; x * x + y * y <= 4.0F && turns < limit; ++turns) {
        const float next = x * x - y * y + cx;
        y = x * y * 2.0F + cy;
        x = next;
      }
      out.push_back(turns);
    }
    return out;
  };
  auto row = row_of<std::uint32_t>("mandelbrot", "turns until a point escapes", program, reference);
  row.io = io_of("n/b", 1);
  row.parameters = {parameter("limit", "turns of a point, at most", 64)};
  return row;
}

/// Interpolates in a table: a binary search of the interval of x in [0, 1), then a line.
struct TableLookup {
  static constexpr const char* name = "table_lookup";
  std::int32_t n;
  std::int32_t knots;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View places, View values, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      const auto x = in.read(i);
      auto low = mp.varying(0);
      auto high = mp.varying(knots - 1);
      mp.while_any([&] { return high - low > 1; },
                   [&] {
                     const auto middle = (low + high) >> 1;
                     mp.when(
                         places.read(middle) <= x, [&] { low = middle; }, [&] { high = middle; });
                   });
      const auto from = places.read(low);
      const auto share = (x - from) / (places.read(high) - from);
      out.write(i, values.read(low) * (share * -1.0F + 1.0F) + values.read(high) * share);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm table_lookup() {
  constexpr std::int64_t knots = 1000;
  const auto places = [] {
    return vector_of(knots, [](std::int64_t k) {
      const float x = static_cast<float>(k) / static_cast<float>(knots - 1);
      return x * x;
    });
  };
  const auto program = [places](auto& run) {
    const auto in = run.input();
    const auto at = run.upload(knots, "places", places);
    const auto values = run.upload(knots, "values", [] { return numbers(knots); });
    const auto out = run.array(run.n(), "out");
    run.launch(run.tasks_of(run.width()),
               TableLookup{length(run), static_cast<std::int32_t>(knots)}, in, at, values, out);
    run.result(out);
  };
  const auto reference = [places](auto numbers_in) {
    const std::vector<float> at = places();
    const std::vector<float> values = numbers(knots);
    for (float& x : numbers_in) {
      std::size_t low = 0;
      while (low + 2 < at.size() && at[low + 1] <= x) ++low;
      const float share = (x - at[low]) / (at[low + 1] - at[low]);
      x = values[low] * (share * -1.0F + 1.0F) + values[low + 1] * share;
    }
    return numbers_in;
  };
  return row_of<float>("table_lookup", "interpolation after a binary search in a table", program,
                       reference, io_of("2n/b", 2));
}

}  // namespace zoo
