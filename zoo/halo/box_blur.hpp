#pragma once

#include "../common.hpp"

namespace zoo {

/// Sums of windows of `window` rows down each column of an image; a lane adds up each window.
struct BoxBlurDirect {
  static constexpr const char* name = "box_blur_direct";
  std::int32_t n;
  std::int32_t columns;
  std::int32_t window;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      auto sum = mp.varying(0u);
      for (std::int32_t k = 0; k < window; ++k) {
        const auto at = i + k * columns;
        mp.when(at < n, [&] { sum = sum + in.read(at); });
      }
      out.write(i, sum);
    });
  }
};

/// Sums of windows down each column: a lane for `strip` rows adds what enters the window and
/// subtracts what leaves.
struct BoxBlurSliding {
  static constexpr const char* name = "box_blur_sliding";
  std::int32_t n;
  std::int32_t columns;
  std::int32_t window;
  std::int32_t strip;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = global_index(mp);
    const auto first = lane / columns * (columns * strip) + lane % columns;
    auto sum = mp.varying(0u);
    for (std::int32_t k = 0; k < window - 1; ++k) {
      const auto at = first + k * columns;
      mp.when(at < n, [&] { sum = sum + in.read(at); });
    }
    for (std::int32_t k = 0; k < strip; ++k) {
      const auto at = first + k * columns;
      const auto enters = at + (window - 1) * columns;
      mp.when(enters < n, [&] { sum = sum + in.read(enters); });
      mp.when(at < n, [&] {
        out.write(at, sum);
        sum = sum - in.read(at);
      });
    }
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm box_blur() {
  const auto program = [](auto& run) {
    const std::int32_t columns = setting(run, "columns");
    const std::int32_t window = setting(run, "window");
    const auto in = run.input();
    const auto out = run.array(run.n(), "sums");
    if (run.variant() == "sliding") {
      constexpr std::int32_t strip = 32;
      const std::int64_t lanes = run.tasks_of(std::int64_t{columns} * strip) * columns;
      run.launch(ceil_div(lanes, run.width()), BoxBlurSliding{length(run), columns, window, strip},
                 in, out);
    } else {
      run.launch(run.tasks_of(run.width()), BoxBlurDirect{length(run), columns, window}, in, out);
    }
    run.result(out);
  };
  const auto reference = [](const auto& in, const agpusim::RunConfig& run) {
    const std::size_t columns = setting(run, "columns");
    std::vector<std::uint32_t> sums(in.size(), 0);
    for (std::size_t i = 0; i < in.size(); ++i) {
      for (std::size_t k = 0; k < setting(run, "window"); ++k) {
        if (i + k * columns < in.size()) sums[i] += in[i + k * columns];
      }
    }
    return sums;
  };
  auto row = row_of<std::uint32_t>("box_blur", "sums of windows down the columns of an image",
                                   program, reference);
  row.variants = {variant("direct", "each window is added up"),
                  variant("sliding", "a lane slides a window down its column")};
  row.parameters = {parameter("columns", "of the image; the last row may be shorter", 256),
                    parameter("window", "rows of a window", 9)};
  return row;
}

}  // namespace zoo
