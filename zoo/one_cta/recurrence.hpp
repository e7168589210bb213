#pragma once

#include "../common.hpp"

namespace zoo {

/// V chains x = 5 x + in[i] through the array, each of every V-th element, by one task.
struct Recurrence {
  static constexpr const char* name = "recurrence";
  std::int32_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    auto x = mp.varying(1u);
    auto i = mp.lane();
    mp.while_any([&] { return i < n; },
                 [&] {
                   x = x * 5u + in.read(i);
                   i = i + mp.width();
                 });
    out.write(mp.lane(), x);
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm recurrence() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const auto out = run.array(run.width(), "ends");
    run.launch(1, Recurrence{length(run)}, in, out);
    run.result(out);
  };
  const auto reference = [](const auto& in, const agpusim::RunConfig& run) {
    std::vector<std::uint32_t> ends(static_cast<std::size_t>(run.spec.width), 1);
    for (std::size_t i = 0; i < in.size(); ++i)
      ends[i % ends.size()] = ends[i % ends.size()] * 5 + in[i];
    return ends;
  };
  return row_of<std::uint32_t>("recurrence", "chains of dependent steps, by one task", program,
                               reference, io_of("n/b", 1));
}

}  // namespace zoo
