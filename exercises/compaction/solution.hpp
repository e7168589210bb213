struct Compaction {
  static constexpr const char* name = "compaction";
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const std::int32_t b = mp.warp_width();
    const auto sums = mp.template shared<std::int32_t>(V / b, "sums");
    const auto warp = lane / b;
    const auto below = (mp.varying(1u) << (lane % b)) - 1u;  // bits of the lanes below in the warp
    std::int32_t offset = 0;                                 // words kept so far
    for (std::int64_t first = 0; first < n; first += V) {
      auto x = mp.varying(std::uint32_t{0});
      mp.when(lane < static_cast<std::int32_t>(n - first < V ? n - first : V),
              [&] { x = in.from(first).read(lane); });
      const auto kept = mp.vote(x != 0u);
      mp.sync();
      mp.when(lane % b == 0,
              [&] { sums.write(warp, agpusim::cast<std::int32_t>(agpusim::popcount(kept))); });
      mp.sync();
      auto to = agpusim::cast<std::int32_t>(agpusim::popcount(kept & below));
      std::int32_t total = 0;
      for (std::int32_t w = 0; w < V / b; ++w) {
        const auto of_warp = sums.read(mp.varying(w));
        to = to + agpusim::select(warp > w, of_warp, mp.varying(0));
        total += mp.uniform(of_warp);
      }
      mp.when(x != 0u, [&] { out.write(to + offset, x); });
      offset += total;
    }
    const auto zero = mp.varying(std::uint32_t{0});
    agpusim::for_lanes(mp, static_cast<std::int32_t>(n) - offset,
                       [&](const auto& i) { out.from(offset).write(i, zero); });
  }
};
