struct SamplePivots {
  static constexpr const char* name = "sample_pivots";
  std::int64_t h;

  template <class Mp, class View>
  AGPUSIM_FN void operator()(Mp& mp, View in, View out) const {
    const auto lane = mp.lane();
    const std::int32_t b = mp.width();
    const auto run = in.from(mp.task() * h);
    const auto length = static_cast<std::int32_t>(h);
    const auto position = ((lane + 1) * length + b) / (b + 1);
    out.from(mp.task() * b).write(lane, run.read(position - 1));
  }
};
