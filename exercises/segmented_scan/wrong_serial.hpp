// One lane after the other. Expected: WRONG cost.
struct SegmentedScan {
  static constexpr const char* name = "segmented_scan";
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    auto own = mp.varying(std::uint32_t{0});
    mp.when(lane < static_cast<std::int32_t>(n), [&] { own = in.read(lane); });
    const auto words = mp.template shared<std::uint32_t>(V, "words");
    words.write(lane, own);
    mp.sync();
    auto sum = mp.varying(std::uint32_t{0});
    for (std::int32_t i = 0; i < V; ++i) {
      const auto x = words.read(mp.varying(i));
      mp.when(lane >= i, [&] { sum = agpusim::select((x & 1u) == 1u, x, sum + x); });
    }
    mp.when(lane < static_cast<std::int32_t>(n), [&] { out.write(lane, sum); });
  }
};
