struct Stencil {
  static constexpr const char* name = "stencil";
  std::int64_t n;
  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const std::int64_t first = mp.task() * V;
    const auto left = static_cast<std::int32_t>(n - first);
    mp.when(lane < left, [&] {
      auto sum = in.from(first).read(lane);
      mp.when(lane + static_cast<std::int32_t>(first) > 0,
              [&] { sum = sum + in.from(first).read(lane - 1); });
      mp.when(lane < left - 1, [&] { sum = sum + in.from(first).read(lane + 1); });
      out.from(first).write(lane, sum);
    });
  }
};
