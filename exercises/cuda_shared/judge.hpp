inline agpusim::exercise::KernelExercise judge() {
  auto reverse = exercise::cuda_exercise();
  reverse.expected = [](const AgpuSpec&, auto in) {
    for (auto first = in.begin(); first != in.end();) {
      const auto end = first + std::min<std::ptrdiff_t>(256, in.end() - first);
      std::reverse(first, end);
      first = end;
    }
    return in;
  };
  reverse.launches = [](const AgpuSpec&, std::int64_t n) {
    return std::vector<exercise::CudaLaunch>{
        {"reverse_tiles", {ceil_div(n, 256)}, {256}, {exercise::in_at(0), exercise::out_at(0), n}}};
  };
  reverse.limits = [](const AgpuSpec&, std::int64_t n) {
    return std::vector<exercise::Limit>{{"Q", 2 * ceil_div(n, 32)}, {"conflicts", 0}};
  };
  return reverse;
}
