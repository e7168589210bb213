// exercise reverse (AGPU): coalesced reads and writes at both ends of an array.
//
// out[n-1-i] = in[i].
//
// A task has the V lanes of mp.width(); the machine starts ceil(n/V) tasks. Reads and writes of
// neighbouring words by the lanes of a warp move one block of b words; others move more. Must be
// met: Q <= 3·ceil(n/b) + 1 blocks, no divergence beyond the last task. Every index must be in
// 0..n-1.
//
//   agpusim exercise grade reverse.hpp

struct Reverse {
  static constexpr const char* name = "reverse";
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();                        // 0, 1, ..., V-1: one value per lane
    const std::int64_t first = mp.task() * mp.width();  // first element of this task
    // YOUR CODE: in.from(first).read(lane) reads in[first + lane];
    // mp.when(condition, [&] { ... }) does something in the lanes where the condition holds;
    // static_cast<std::int32_t>(n - first) makes a number of the lanes' type.
  }
};
