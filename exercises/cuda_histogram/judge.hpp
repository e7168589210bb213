inline agpusim::exercise::KernelExercise judge() {
  auto histogram = exercise::cuda_exercise();
  histogram.input = [](auto drawn) {
    for (auto& word : drawn) word %= 256;
    return drawn;
  };
  histogram.out = [](const AgpuSpec&, std::int64_t) { return std::int64_t{256}; };
  histogram.out_is_zeroed = true;
  histogram.expected = [](const AgpuSpec&, const auto& in) {
    exercise::KernelExercise::Words out(256, 0);
    for (const auto word : in) ++out[word];
    return out;
  };
  histogram.launches = [](const AgpuSpec&, std::int64_t n) {
    return std::vector<exercise::CudaLaunch>{
        {"histogram", {4}, {256}, {exercise::in_at(0), exercise::out_at(0), n}}};
  };
  histogram.limits = [](const AgpuSpec&, std::int64_t n) {
    return std::vector<exercise::Limit>{{"Q", ceil_div(n, 32) + ceil_div(n, 1024) + 32},
                                        {"contention", 4},
                                        {"T", 480 * (1 + ceil_div(n, 1024))}};
  };
  return histogram;
}
