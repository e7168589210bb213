#pragma once

#include "../common.hpp"

namespace zoo {

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
