// All lanes count in the same 16 words. Expected: WRONG cost.
struct Histogram {
  static constexpr const char* name = "histogram";
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const auto counts = mp.template shared<std::uint32_t>(16, "counts");
    agpusim::for_lanes(mp, 16, [&](const auto& i) { counts.write(i, mp.varying(0u)); });
    mp.sync();
    for (std::int64_t first = 0; first < n; first += V) {
      agpusim::for_lanes(mp, static_cast<std::int32_t>(n - first < V ? n - first : V),
                         [&](const auto& i) {
                           const auto x = in.from(first).read(i);
                           counts.atomic_add(agpusim::cast<std::int32_t>(x & 15u), mp.varying(1u));
                         });
    }
    mp.sync();
    agpusim::for_lanes(mp, 16, [&](const auto& i) { out.write(i, counts.read(i)); });
  }
};
