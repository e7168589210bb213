// Does not wait for what other lanes write. Expected: WRONG legality.
struct Pairs {
  static constexpr const char* name = "pairs";
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const std::int32_t V = mp.width();
    const std::int64_t first = mp.task() * V;
    const std::int64_t left = n - 2 * first;
    const auto words = static_cast<std::int32_t>(left < 2 * V ? left : 2 * V);
    const auto tile = mp.template shared<std::uint32_t>(2 * V, "tile");
    agpusim::for_lanes(mp, words,
                       [&](const auto& i) { tile.write(i, in.from(2 * first).read(i)); });
    agpusim::for_lanes(mp, words / 2, [&](const auto& i) {
      out.from(first).write(i, tile.read(i * 2) + tile.read(i * 2 + 1));
    });
  }
};
