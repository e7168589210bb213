inline agpusim::exercise::KernelExercise judge() {
  auto map = exercise::cuda_exercise();
  map.expected = [](const AgpuSpec&, auto in) {
    const auto n = static_cast<std::int64_t>(in.size());
    for (std::int64_t i = 0; i < n; ++i)
      in[i] += static_cast<std::uint32_t>(i / exercise::columns_of(n));
    return in;
  };
  map.launches = [](const AgpuSpec&, std::int64_t n) {
    const std::int64_t columns = exercise::columns_of(n);
    return std::vector<exercise::CudaLaunch>{
        {"map_2d",
         {ceil_div(columns, 32), ceil_div(n / columns, 8)},
         {32, 8},
         {exercise::in_at(0), exercise::out_at(0), n / columns, columns}}};
  };
  map.limits = [](const AgpuSpec&, std::int64_t n) {
    const std::int64_t columns = exercise::columns_of(n);
    return std::vector<exercise::Limit>{{"Q", 4 * (n / columns) * ceil_div(columns, 32)}};
  };
  return map;
}
