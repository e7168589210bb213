// Turns each row around where it is. Expected: WRONG result.
struct Reverse {
  static constexpr const char* name = "reverse";
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const std::int64_t first = mp.task() * mp.width();
    const std::int64_t left = n - first;
    const auto count = static_cast<std::int32_t>(left < mp.width() ? left : mp.width());
    agpusim::for_lanes(mp, count, [&](const auto& i) {
      out.from(first).write(count - 1 - i, in.from(first).read(i));
    });
  }
};
