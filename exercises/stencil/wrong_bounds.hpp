// There is no in[-1]. Expected: WRONG legality.
struct Stencil {
  static constexpr const char* name = "stencil";
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const std::int64_t first = mp.task() * mp.width();
    const std::int64_t left = n - first;
    const auto count = static_cast<std::int32_t>(left < mp.width() ? left : mp.width());

    const auto lane = mp.lane();
    mp.when(lane < count, [&] {
      const auto sum = in.from(first - 1).read(lane) + in.from(first).read(lane);
      out.from(first).write(lane, sum + in.from(first + 1).read(lane));
    });
  }
};
