// exercise segmented_scan (AGPU): prefix sums that start again.
//
// out[i] = in[s] + ... + in[i], where s is the last index up to i at which in[s] is odd, or 0 where
// there is none: an odd word starts a segment. By one task of V lanes, a power of two, n <= V. Must
// be met: T <= (16 lg V + 16) W for W warps.
//
//   agpusim exercise grade segmented_scan.hpp

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
    // YOUR CODE: double the distance from round to round, and add only while no segment started
    // between; sums and starts have two halves, one to read and one to write.
    mp.when(lane < static_cast<std::int32_t>(n), [&] { out.write(lane, sum); });
  }
};
