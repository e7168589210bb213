inline agpusim::exercise::KernelExercise judge() {
  auto dot = exercise::cuda_exercise();
  dot.sizes = [](const AgpuSpec&) {
    return std::vector<std::int64_t>{2, 62, 64, 66, 512, 514, 2046, 2050, 12290};
  };
  dot.unit = [](const AgpuSpec&) { return std::int64_t{2}; };
  dot.out = [](const AgpuSpec&, std::int64_t) { return std::int64_t{1}; };
  dot.out_is_zeroed = true;
  dot.expected = [](const AgpuSpec&, const auto& in) {
    const auto half = in.begin() + static_cast<std::ptrdiff_t>(in.size() / 2);
    return exercise::KernelExercise::Words{
        std::inner_product(in.begin(), half, half, std::uint32_t{0})};
  };
  dot.launches = [](const AgpuSpec&, std::int64_t words) {
    const std::int64_t n = words / 2;
    return std::vector<exercise::CudaLaunch>{
        {"dot", {4}, {256}, {exercise::in_at(0), exercise::in_at(n), exercise::out_at(0), n}}};
  };
  dot.limits = [](const AgpuSpec&, std::int64_t words) {
    const std::int64_t n = words / 2;
    return std::vector<exercise::Limit>{{"Q", 3 * ceil_div(n, 32) + 3 * ceil_div(n, 1024) + 4},
                                        {"contention", 4},
                                        {"T", 640 + 160 * ceil_div(n, 1024)},
                                        {"conflicts", 0}};
  };
  return dot;
}
