// Every second word. Expected: WRONG cost.
struct Pairs {
  static constexpr const char* name = "pairs";
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const std::int32_t V = mp.width();
    const std::int64_t first = mp.task() * V;
    const std::int64_t left = n / 2 - first;
    const auto count = static_cast<std::int32_t>(left < V ? left : V);
    agpusim::for_lanes(mp, count, [&](const auto& i) {
      const auto from = in.from(2 * first);
      out.from(first).write(i, from.read(i * 2) + from.read(i * 2 + 1));
    });
  }
};
