// Leaves out the last row where it is not full. Expected: WRONG result.
struct Histogram {
  static constexpr const char* name = "histogram";
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const auto counts = mp.template shared<std::uint32_t>(16 * V, "counts");
    for (std::int32_t bin = 0; bin < 16; ++bin) {
      counts.write(lane + bin * V, mp.varying(std::uint32_t{0}));
    }
    mp.sync();
    for (std::int64_t first = 0; first < n - n % V; first += V) {
      agpusim::for_lanes(mp, static_cast<std::int32_t>(n - first < V ? n - first : V),
                         [&](const auto& i) {
                           const auto x = in.from(first).read(i);
                           const auto own = agpusim::cast<std::int32_t>(x & 15u) * V + lane;
                           counts.write(own, counts.read(own) + 1u);
                         });
    }
    mp.sync();
    for (std::int32_t bin = 0; bin < 16; bin += V) {
      mp.when(lane < 16 - bin, [&] {
        auto sum = mp.varying(std::uint32_t{0});
        for (std::int32_t j = 0; j < V; ++j)
          sum = sum + counts.read((lane + bin) * V + (lane + j) % V);
        out.write(lane + bin, sum);
      });
    }
  }
};
