#pragma once

#include "../common.hpp"

namespace zoo {

/// The sum of the decimal digits of each element.
struct DigitSum {
  static constexpr const char* name = "digit_sum";
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto i = global_index(mp);
    mp.when(i < n, [&] {
      auto x = in.read(i);
      auto sum = mp.varying(0u);
      mp.while_any([&] { return x > 0u; },
                   [&] {
                     sum = sum + x % 10u;
                     x = x / 10u;
                   });
      out.write(i, sum);
    });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm digit_sum() {
  const auto program = each_lane<DigitSum>("sums");
  const auto reference = each_element([](std::uint32_t x) {
    std::uint32_t sum = 0;
    for (const char digit : std::to_string(x)) sum += static_cast<std::uint32_t>(digit - '0');
    return sum;
  });
  return row_of<std::uint32_t>("digit_sum", "sums of decimal digits", program, reference,
                               io_of("2n/b", 2));
}

}  // namespace zoo
