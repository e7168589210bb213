// exercise compaction (AGPU): keep some, in order.
//
// out is the words of in that are not 0, in their order, and then zeros: n words in all, by one
// task of V lanes that goes through in, V words at a time. Must be met: T <= 8·lg V + 20 for each
// warp of each V words.
//
//   agpusim exercise grade compaction.hpp

struct Compaction {
  static constexpr const char* name = "compaction";
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const auto sums = mp.template shared<std::int32_t>(2 * V, "sums");
    std::int32_t offset = 0;  // words kept so far: the same in all lanes
    for (std::int64_t first = 0; first < n; first += V) {
      auto x = mp.varying(std::uint32_t{0});
      mp.when(lane < static_cast<std::int32_t>(n - first < V ? n - first : V),
              [&] { x = in.from(first).read(lane); });
      // YOUR CODE: prefix sums of 1 and 0 over the lanes say where x goes; they take turns between
      // the two halves of sums. mp.uniform(value) makes a plain number of what all lanes agree on.
    }
    const auto zero = mp.varying(std::uint32_t{0});
    agpusim::for_lanes(mp, static_cast<std::int32_t>(n) - offset,
                       [&](const auto& i) { out.from(offset).write(i, zero); });
  }
};
