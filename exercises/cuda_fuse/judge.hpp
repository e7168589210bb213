inline agpusim::exercise::KernelExercise judge() {
  auto fuse = exercise::cuda_exercise();
  fuse.sizes = [](const AgpuSpec&) {
    return std::vector<std::int64_t>{2, 62, 64, 66, 512, 514, 2046, 2050, 12290};
  };
  fuse.unit = [](const AgpuSpec&) { return std::int64_t{2}; };
  fuse.out = [](const AgpuSpec&, std::int64_t words) { return words / 2; };
  fuse.expected = [](const AgpuSpec&, const auto& in) {
    exercise::KernelExercise::Words out(in.size() / 2);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = std::max(3 * in[i] + 5, in[out.size() + i]);
    }
    return out;
  };
  fuse.launches = [](const AgpuSpec&, std::int64_t words) {
    const std::int64_t n = words / 2;
    return std::vector<exercise::CudaLaunch>{
        {"fuse", {4}, {256}, {exercise::in_at(0), exercise::in_at(n), exercise::out_at(0), n}}};
  };
  fuse.limits = [](const AgpuSpec&, std::int64_t words) {
    const std::int64_t n = words / 2;
    return std::vector<exercise::Limit>{{"Q", 4 * ceil_div(n, 32) + 4 * ceil_div(n, 1024)}};
  };
  return fuse;
}
