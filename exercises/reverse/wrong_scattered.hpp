// The lanes of a task lie far apart. Expected: WRONG cost.
struct Reverse {
  static constexpr const char* name = "reverse";
  std::int64_t n;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto size = static_cast<std::int32_t>(n);
    const std::int32_t tasks = (size + mp.width() - 1) / mp.width();
    const auto i = mp.lane() * tasks + static_cast<std::int32_t>(mp.task());
    mp.when(i < size, [&] { out.write(size - 1 - i, in.read(i)); });
  }
};
