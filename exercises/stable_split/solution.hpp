struct StableSplit {
  static constexpr const char* name = "stable_split";
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    auto x = mp.varying(std::uint32_t{0});
    mp.when(lane < static_cast<std::int32_t>(n), [&] { x = in.read(lane); });
    const auto odd = (x & 1u) == 1u;
    const auto odds = mp.vote(odd);
    const auto below = (mp.varying(1u) << lane) - 1u;
    const auto before = agpusim::cast<std::int32_t>(agpusim::popcount(odds & below));
    const auto evens =
        static_cast<std::int32_t>(n) - agpusim::cast<std::int32_t>(agpusim::popcount(odds));
    const auto place = agpusim::select(odd, evens + before, lane - before);
    mp.when(lane < static_cast<std::int32_t>(n), [&] { out.write(place, x); });
  }
};
