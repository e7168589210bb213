struct Stencil {
  static constexpr const char* name = "stencil";
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const std::int64_t first = mp.task() * mp.width();
    const std::int64_t left = n - first;
    const auto count = static_cast<std::int32_t>(left < mp.width() ? left : mp.width());

    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const auto tile = mp.template shared<std::uint32_t>(V + 2, "tile");
    auto own = mp.varying(std::uint32_t{0});
    auto before = own;
    auto after = own;
    mp.when(lane < count, [&] { own = in.from(first).read(lane); });
    if (first > 0) mp.when(lane == 0, [&] { before = in.from(first - 1).read(lane); });
    if (left > V) mp.when(lane == 0, [&] { after = in.from(first + V).read(lane); });
    tile.write(lane + 1, own);
    mp.when(lane == 0, [&] {
      tile.write(lane, before);
      tile.write(lane + (V + 1), after);
    });
    mp.sync();
    mp.when(lane < count, [&] {
      out.from(first).write(lane, tile.read(lane) + tile.read(lane + 1) + tile.read(lane + 2));
    });
  }
};
