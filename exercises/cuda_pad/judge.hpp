inline agpusim::exercise::KernelExercise judge() {
  auto pad = exercise::cuda_exercise();
  pad.expected = [](const AgpuSpec&, const auto& in) {
    const auto n = static_cast<std::int64_t>(in.size());
    const std::int64_t columns = exercise::columns_of(n);
    auto out = in;
    for (std::int64_t i = 0; i < n; ++i) out[i % columns * (n / columns) + i / columns] = in[i];
    return out;
  };
  pad.launches = [](const AgpuSpec&, std::int64_t n) {
    const std::int64_t columns = exercise::columns_of(n);
    const std::int64_t rows = n / columns;
    return std::vector<exercise::CudaLaunch>{
        {"pad",
         {ceil_div(columns, 32), ceil_div(rows, 32)},
         {32, 8},
         {exercise::in_at(0), exercise::out_at(0), rows, columns}}};
  };
  pad.limits = [](const AgpuSpec&, std::int64_t n) {
    const std::int64_t columns = exercise::columns_of(n);
    const std::int64_t rows = n / columns;
    return std::vector<exercise::Limit>{
        {"Q", 2 * rows * ceil_div(columns, 32) + 2 * columns * ceil_div(rows, 32)},
        {"conflicts", 0}};
  };
  return pad;
}
