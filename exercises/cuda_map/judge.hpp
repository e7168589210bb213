inline agpusim::exercise::KernelExercise judge() {
  auto map = exercise::cuda_exercise();
  map.sizes = [](const AgpuSpec&) {
    return std::vector<std::int64_t>{1, 2, 31, 32, 33, 255, 256, 257, 512};
  };
  map.expected = [](const AgpuSpec&, auto in) {
    for (auto& word : in) word += 10;
    return in;
  };
  map.launches = [](const AgpuSpec&, std::int64_t n) {
    return std::vector<exercise::CudaLaunch>{
        {"map", {1}, {n}, {exercise::in_at(0), exercise::out_at(0)}}};
  };
  map.limits = [](const AgpuSpec&, std::int64_t n) {
    return std::vector<exercise::Limit>{{"Q", 2 * ceil_div(n, 32)}, {"T", 20 * ceil_div(n, 32)}};
  };
  return map;
}
