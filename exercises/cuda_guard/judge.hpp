inline agpusim::exercise::KernelExercise judge() {
  auto guard = exercise::cuda_exercise();
  guard.expected = [](const AgpuSpec&, auto in) {
    for (auto& word : in) word += 10;
    return in;
  };
  guard.launches = [](const AgpuSpec&, std::int64_t n) {
    return std::vector<exercise::CudaLaunch>{
        {"guard", {ceil_div(n, 256)}, {256}, {exercise::in_at(0), exercise::out_at(0), n}}};
  };
  guard.limits = [](const AgpuSpec&, std::int64_t n) {
    return std::vector<exercise::Limit>{{"Q", 2 * ceil_div(n, 32)}, {"T", 200 * ceil_div(n, 1024)}};
  };
  return guard;
}
