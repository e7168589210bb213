/// Columns of a matrix of n words, which is nearly square, and wider than high or the reverse.
inline std::int64_t columns_of(std::int64_t n) {
  std::int64_t divisor = 1;
  for (std::int64_t d = 1; d * d <= n; ++d) divisor = n % d == 0 ? d : divisor;
  return n % 4 == 1 ? divisor : n / divisor;
}

inline agpusim::exercise::KernelExercise judge() {
  exercise::KernelExercise pad;
  pad.machines = {exercise::machine(32, 8, 12288)};
  pad.sizes = exercise::sizes_around;
  pad.unit = [](const AgpuSpec&) { return std::int64_t{1}; };
  pad.out = [](const AgpuSpec&, std::int64_t n) { return n; };
  pad.expected = [](const AgpuSpec&, const auto& in) {
    const auto n = static_cast<std::int64_t>(in.size());
    const std::int64_t columns = columns_of(n);
    auto out = in;
    for (std::int64_t i = 0; i < n; ++i) out[i % columns * (n / columns) + i / columns] = in[i];
    return out;
  };
  pad.launches = [](const AgpuSpec&, std::int64_t n) {
    const std::int64_t columns = columns_of(n);
    const std::int64_t rows = n / columns;
    return std::vector<exercise::CudaLaunch>{
        {"pad",
         {ceil_div(columns, 32), ceil_div(rows, 32)},
         {32, 8},
         {exercise::in_at(0), exercise::out_at(0), rows, columns}}};
  };
  pad.limits = [](const AgpuSpec&, std::int64_t n) {
    const std::int64_t columns = columns_of(n);
    const std::int64_t rows = n / columns;
    return std::vector<exercise::Limit>{
        {"Q", 2 * rows * ceil_div(columns, 32) + 2 * columns * ceil_div(rows, 32)},
        {"conflicts", 0}};
  };
  return pad;
}
