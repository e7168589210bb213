inline agpusim::exercise::KernelExercise judge() {
  auto convolution = exercise::cuda_exercise();
  convolution.sizes = [](const AgpuSpec&) {
    return std::vector<std::int64_t>{5, 6, 35, 36, 37, 259, 260, 261, 264, 1283, 1284, 8195};
  };
  convolution.unit = [](const AgpuSpec&) { return std::int64_t{5}; };
  convolution.out = [](const AgpuSpec&, std::int64_t words) { return words - 4; };
  convolution.expected = [](const AgpuSpec&, const auto& in) {
    const std::size_t n = in.size() - 4;
    exercise::KernelExercise::Words out(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < 4 && i + k < n; ++k) out[i] += in[n + k] * in[i + k];
    }
    return out;
  };
  convolution.launches = [](const AgpuSpec&, std::int64_t words) {
    const std::int64_t n = words - 4;
    return std::vector<exercise::CudaLaunch>{
        {"convolution",
         {ceil_div(n, 256)},
         {256},
         {exercise::in_at(0), exercise::in_at(n), exercise::out_at(0), n}}};
  };
  convolution.limits = [](const AgpuSpec&, std::int64_t words) {
    const std::int64_t n = words - 4;
    return std::vector<exercise::Limit>{{"Q", 2 * ceil_div(n, 32) + 7 * ceil_div(n, 256)},
                                        {"conflicts", 0}};
  };
  return convolution;
}
