// exercise collatz (AGPU): two cases without divergence.
//
// out[i] = x/2 for even x = in[i], 3x + 1 for odd x (modulo 2^32). Where lanes of a warp go
// different ways, both are issued, and lanes idle. Must be met: no idle lane but in the last task.
//
//   agpusim exercise grade collatz.hpp

struct Collatz {
  static constexpr const char* name = "collatz";
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const std::int64_t first = mp.task() * mp.width();
    const std::int64_t left = n - first;
    const auto count = static_cast<std::int32_t>(left < mp.width() ? left : mp.width());

    agpusim::for_lanes(mp, count, [&](const auto& i) {
      const auto x = in.from(first).read(i);
      // YOUR CODE: agpusim::select(condition, a, b) chooses in each lane; x / 2u, x * 3u, x & 1u
    });
  }
};
