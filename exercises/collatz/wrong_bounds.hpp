// The last task has fewer elements. Expected: WRONG legality.
struct Collatz {
  static constexpr const char* name = "collatz";
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const std::int64_t first = mp.task() * mp.width();
    const auto x = in.from(first).read(mp.lane());
    out.from(first).write(mp.lane(), agpusim::select((x & 1u) == 0u, x / 2u, x * 3u + 1u));
  }
};
