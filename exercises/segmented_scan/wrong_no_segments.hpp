// Plain prefix sums. Expected: WRONG result.
struct SegmentedScan {
  static constexpr const char* name = "segmented_scan";
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const auto sums = mp.template shared<std::uint32_t>(2 * V, "sums");
    const auto starts = mp.template shared<std::int32_t>(2 * V, "starts");
    auto sum = mp.varying(std::uint32_t{0});
    mp.when(lane < static_cast<std::int32_t>(n), [&] { sum = in.read(lane); });
    auto start = agpusim::select((sum & 1u) == 1u, mp.varying(1), mp.varying(0));
    std::int32_t half = 0;
    sums.write(lane, sum);
    starts.write(lane, start);
    for (std::int32_t distance = 1; distance < V; distance *= 2) {
      mp.sync();
      mp.when(lane >= distance, [&] {
        const auto before = lane + (half - distance);
        sum = sum + sums.read(before);
      });
      half = V - half;
      sums.write(lane + half, sum);
      starts.write(lane + half, start);
    }
    mp.when(lane < static_cast<std::int32_t>(n), [&] { out.write(lane, sum); });
  }
};
