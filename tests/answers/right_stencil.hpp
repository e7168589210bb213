struct Stencil {
  static constexpr const char* name = "stencil";
  std::int64_t n;
  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const std::int64_t first = mp.task() * V;
    const auto tile = mp.template shared<std::uint32_t>(V + 2, "tile");
    const auto left = static_cast<std::int32_t>(n - first < V ? n - first : V);
    const auto zero = mp.varying(std::uint32_t{0});
    tile.write(lane + 1, zero);
    mp.when(lane < left, [&] { tile.write(lane + 1, in.from(first).read(lane)); });
    mp.when(lane == 0, [&] {
      tile.write(lane, zero);
      tile.write(lane + V + 1, zero);
      if (first > 0) tile.write(lane, in.from(first - 1).read(lane));
      if (first + V < n) tile.write(lane + V + 1, in.from(first + V).read(lane));
    });
    mp.sync();
    mp.when(lane < left, [&] {
      out.from(first).write(lane, tile.read(lane) + tile.read(lane + 1) + tile.read(lane + 2));
    });
  }
};
