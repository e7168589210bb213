// exercise histogram (AGPU): counting without atomics.
//
// out[v] = how many of the n words of in are v modulo 16, for v = 0..15, by one task of V lanes.
// Lanes that count in one word would need atomics, and wait for each other. Must be met: no atomic
// (contention 0), no bank conflict, Q <= ceil(n/b) + ceil(16/b), within 16·V words of shared
// memory.
//
//   agpusim exercise grade histogram.hpp

struct Histogram {
  static constexpr const char* name = "histogram";
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t V = mp.width();
    const auto counts = mp.template shared<std::uint32_t>(16 * V, "counts");
    // YOUR CODE: 16 counters for every lane; mind in which banks they are, when lanes count and
    // when the counters of a value are added up. agpusim::cast<std::int32_t>(x & 15u) is an index.
  }
};
