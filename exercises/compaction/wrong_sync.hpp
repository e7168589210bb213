// Does not wait between the rounds of the prefix sums. Expected: WRONG legality.
struct Compaction {
  static constexpr const char* name = "compaction";
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const auto sums = mp.template shared<std::int32_t>(2 * V, "sums");
    std::int32_t offset = 0;  // words kept so far
    for (std::int64_t first = 0; first < n; first += V) {
      auto x = mp.varying(std::uint32_t{0});
      mp.when(lane < static_cast<std::int32_t>(n - first < V ? n - first : V),
              [&] { x = in.from(first).read(lane); });
      auto kept = agpusim::select(x != 0u, mp.varying(1), mp.varying(0));
      std::int32_t half = 0;
      mp.sync();
      sums.write(lane, kept);
      for (std::int32_t distance = 1; distance < V; distance *= 2) {
        mp.when(lane >= distance, [&] { kept = kept + sums.read(lane + (half - distance)); });
        half = V - half;
        sums.write(lane + half, kept);
      }
      mp.sync();
      mp.when(x != 0u, [&] { out.write(kept + (offset - 1), x); });
      offset += mp.uniform(sums.read(mp.varying(half + V - 1)));
    }
    const auto zero = mp.varying(std::uint32_t{0});
    agpusim::for_lanes(mp, static_cast<std::int32_t>(n) - offset,
                       [&](const auto& i) { out.from(offset).write(i, zero); });
  }
};
