// Adds the two halves. Expected: WRONG result.
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
      out.from(first).write(i, in.from(first).read(i) + in.from(first + n / 2).read(i));
    });
  }
};
