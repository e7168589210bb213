// exercise stable_split (AGPU): a stable pass of a radix sort.
//
// out is the even words of in, in their order, and then the odd ones, in theirs, by one task of one
// warp (V = b lanes, a power of two), n <= V. A pass for each bit, from the lowest on, sorts: equal
// bits must keep their order. Must be met: T <= 24.
//
//   agpusim exercise grade stable_split.hpp

struct StableSplit {
  static constexpr const char* name = "stable_split";
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    auto x = mp.varying(std::uint32_t{0});
    mp.when(lane < static_cast<std::int32_t>(n), [&] { x = in.read(lane); });
    // YOUR CODE: mp.vote(condition) is a word with a bit for each lane of the warp; popcount counts
    // the bits of a word; agpusim::cast<std::int32_t>(word) is an index.
  }
};
