inline agpusim::exercise::KernelExercise judge() {
  auto blocks = exercise::cuda_exercise();
  blocks.expected = [](const AgpuSpec&, auto in) {
    for (auto& word : in) word = 3 * word + 1;
    return in;
  };
  blocks.launches = [](const AgpuSpec&, std::int64_t n) {
    return std::vector<exercise::CudaLaunch>{
        {"blocks", {4}, {256}, {exercise::in_at(0), exercise::out_at(0), n}}};
  };
  blocks.limits = [](const AgpuSpec&, std::int64_t n) {
    return std::vector<exercise::Limit>{{"Q", 2 * ceil_div(n, 32) + 2 * ceil_div(n, 1024)}};
  };
  return blocks;
}
