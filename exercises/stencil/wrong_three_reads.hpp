// Reads every word three times. Expected: WRONG cost.
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
      auto sum = in.from(first).read(lane);
      const auto neighbour = [&](const auto& there, int shift) {
        mp.when(there, [&] { sum = sum + in.from(first + shift).read(lane); });
      };
      neighbour(lane + 0 >= (first == 0 ? 1 : 0), -1);
      neighbour(lane < static_cast<std::int32_t>(left <= mp.width() ? left - 1 : left), 1);
      out.from(first).write(lane, sum);
    });
  }
};
