inline agpusim::exercise::KernelExercise judge() {
  auto sums = exercise::cuda_exercise(4);
  sums.out = [](const AgpuSpec&, std::int64_t n) { return exercise::short_side(n); };
  sums.expected = [](const AgpuSpec&, const auto& in) {
    const auto n = static_cast<std::int64_t>(in.size());
    exercise::KernelExercise::Words out(static_cast<std::size_t>(exercise::short_side(n)), 0);
    for (std::int64_t i = 0; i < n; ++i) out[i / (n / exercise::short_side(n))] += in[i];
    return out;
  };
  sums.launches = [](const AgpuSpec&, std::int64_t n) {
    const std::int64_t rows = exercise::short_side(n);
    return std::vector<exercise::CudaLaunch>{
        {"axis_sum", {rows}, {128}, {exercise::in_at(0), exercise::out_at(0), n / rows}}};
  };
  sums.limits = [](const AgpuSpec&, std::int64_t n) {
    const std::int64_t rows = exercise::short_side(n);
    const std::int64_t columns = n / rows;
    return std::vector<exercise::Limit>{
        {"Q", rows * (2 * ceil_div(columns, 32) + ceil_div(columns, 128) + 1)},
        {"T", ceil_div(rows, 4) * (320 + 60 * ceil_div(columns, 128))},
        {"contention", 0},
        {"conflicts", 0}};
  };
  return sums;
}
