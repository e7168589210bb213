#pragma once

#include "../common.hpp"

namespace zoo {

/// Keeps the elements below a bound, in order, at the front of each task's V places, and counts
/// them all in a global counter: votes inside warps, then the counts of warps in shared memory.
struct Filter {
  static constexpr const char* name = "filter";
  std::int32_t n;
  std::int32_t warps;

  [[nodiscard]] std::int64_t shared_bytes() const { return std::int64_t{4} * warps + 4; }

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto counts = mp.template shared<std::int32_t>(warps, "counts");
    const auto i = global_index(mp);
    const auto lane = mp.lane() % 32;
    auto key = mp.varying(0xffffffffu);
    mp.when(i < n, [&] { key = in.read(i); });
    const auto kept = key < 0x60000000u;
    const auto votes = mp.vote(kept);
    mp.when(lane == 0, [&] { counts.write(mp.lane() / 32, agpusim::popcount(votes)); });
    mp.sync();
    auto place = agpusim::popcount(votes & ((mp.varying(1u) << lane) - 1u));
    auto total = mp.varying(0);
    for (std::int32_t warp = 0; warp < warps; ++warp) {
      const auto count = counts.read(mp.varying(warp));
      place = place + agpusim::select(mp.lane() / 32 > warp, count, mp.varying(0));
      total = total + count;
    }
    const auto first = static_cast<std::int32_t>(mp.task() * mp.width());
    mp.when(kept, [&] { out.write(place + (first + 1), key); });
    mp.when(mp.lane() == 0,
            [&] { out.atomic_add(mp.varying(0), agpusim::cast<std::uint32_t>(total)); });
  }
};

[[nodiscard]] inline agpusim::OwnAlgorithm filter() {
  const auto program = [](auto& run) {
    const auto in = run.input();
    const std::int64_t places = run.n() + 1;  // the counter, then the elements
    const auto out = run.upload(places, "out", [places] { return zeros(places); });
    run.launch(run.tasks_of(run.width()), Filter{length(run), run.width() / 32}, in, out);
    run.result(out);
  };
  const auto reference = [](const auto& x, const agpusim::RunConfig& run) {
    const auto V = static_cast<std::size_t>(run.spec.width);
    auto out = zeros(run.n + 1);
    std::size_t place = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (i % V == 0) place = i;
      if (x[i] >= 0x60000000u) continue;
      out[++place] = x[i];
      ++out[0];
    }
    return out;
  };
  return row_of<std::uint32_t>("filter", "small elements at the front of each task", program,
                               reference, io_of("2n/b", 2));
}

}  // namespace zoo
