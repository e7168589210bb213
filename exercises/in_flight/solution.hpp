struct InFlight {
  static constexpr const char* name = "in_flight";

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const auto from = in.from(mp.task() * 8 * V);
    const auto r0 = from.read(lane);
    const auto r1 = from.read(lane + V);
    const auto r2 = from.read(lane + 2 * V);
    const auto r3 = from.read(lane + 3 * V);
    const auto r4 = from.read(lane + 4 * V);
    const auto r5 = from.read(lane + 5 * V);
    const auto r6 = from.read(lane + 6 * V);
    const auto r7 = from.read(lane + 7 * V);
    out.from(mp.task() * V).write(lane, r0 + r1 + r2 + r3 + r4 + r5 + r6 + r7);
  }
};
