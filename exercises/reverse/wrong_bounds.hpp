// Forgets that the last task has fewer elements. Expected: WRONG legality.
struct Reverse {
  static constexpr const char* name = "reverse";
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const std::int64_t first = mp.task() * mp.width();
    out.from(n - 1 - first).write(0 - mp.lane(), in.from(first).read(mp.lane()));
  }
};
