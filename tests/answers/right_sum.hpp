struct Partial {
  static constexpr const char* name = "partial";
  std::int64_t n;
  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View sums) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const std::int64_t first = mp.task() * 4 * V;
    const auto tile = mp.template shared<std::uint32_t>(V, "tile");
    auto s = mp.varying(std::uint32_t{0});
    const auto count = static_cast<std::int32_t>(n - first < 4 * V ? n - first : 4 * V);
    agpusim::for_lanes(mp, count, [&](const auto& i) { s = s + in.from(first).read(i); });
    tile.write(lane, s);
    for (std::int32_t h = V / 2; h > 0; h /= 2) {
      mp.sync();
      mp.when(lane < h, [&] { tile.write(lane, tile.read(lane) + tile.read(lane + h)); });
    }
    mp.sync();
    mp.when(lane == 0, [&] { sums.from(mp.task()).write(lane, tile.read(lane)); });
  }
};
struct Total {
  static constexpr const char* name = "total";
  std::int64_t n;
  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View sums, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const auto tile = mp.template shared<std::uint32_t>(V, "tile");
    auto s = mp.varying(std::uint32_t{0});
    agpusim::for_lanes(mp, static_cast<std::int32_t>(n),
                       [&](const auto& i) { s = s + sums.read(i); });
    tile.write(lane, s);
    for (std::int32_t h = V / 2; h > 0; h /= 2) {
      mp.sync();
      mp.when(lane < h, [&] { tile.write(lane, tile.read(lane) + tile.read(lane + h)); });
    }
    mp.sync();
    mp.when(lane == 0, [&] { out.write(lane, tile.read(lane)); });
  }
};
