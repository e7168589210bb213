struct Collatz {
  static constexpr const char* name = "collatz";
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const std::int64_t first = mp.task() * mp.width();
    const std::int64_t left = n - first;
    const auto count = static_cast<std::int32_t>(left < mp.width() ? left : mp.width());

    agpusim::for_lanes(mp, count, [&](const auto& i) {
      const auto x = in.from(first).read(i);
      out.from(first).write(i, agpusim::select((x & 1u) == 0u, x / 2u, x * 3u + 1u));
    });
  }
};
