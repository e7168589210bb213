// Uses each row before it reads the next. Expected: WRONG cost.
struct InFlight {
  static constexpr const char* name = "in_flight";

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const auto from = in.from(mp.task() * 8 * V);
    auto sum = from.read(lane);
    for (std::int32_t row = 1; row < 8; ++row) sum = sum + from.read(lane + row * V);
    out.from(mp.task() * V).write(lane, sum);
  }
};
