// One lane copies word by word. Expected: WRONG cost.
struct Compaction {
  static constexpr const char* name = "compaction";
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    std::int32_t offset = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      const auto x = in.from(i).read(mp.varying(0));
      mp.when(lane == 0, [&] { out.from(offset).write(lane, x); });
      offset += mp.uniform(x) != 0 ? 1 : 0;
    }
    const auto zero = mp.varying(std::uint32_t{0});
    agpusim::for_lanes(mp, static_cast<std::int32_t>(n) - offset,
                       [&](const auto& i) { out.from(offset).write(i, zero); });
  }
};
