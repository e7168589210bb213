/// Columns of a matrix of n words, which is nearly square, and wider than high or the reverse.
inline std::int64_t columns_of(std::int64_t n) {
  std::int64_t divisor = 1;
  for (std::int64_t d = 1; d * d <= n; ++d) divisor = n % d == 0 ? d : divisor;
  return n % 4 == 1 ? divisor : n / divisor;
}

inline agpusim::exercise::KernelExercise judge() {
  exercise::KernelExercise map;
  map.machines = {exercise::machine(32, 8, 12288)};
  map.sizes = exercise::sizes_around;
  map.unit = [](const AgpuSpec&) { return std::int64_t{1}; };
  map.out = [](const AgpuSpec&, std::int64_t n) { return n; };
  map.expected = [](const AgpuSpec&, auto in) {
    const auto n = static_cast<std::int64_t>(in.size());
    for (std::int64_t i = 0; i < n; ++i) in[i] += static_cast<std::uint32_t>(i / columns_of(n));
    return in;
  };
  map.launches = [](const AgpuSpec&, std::int64_t n) {
    const std::int64_t columns = columns_of(n);
    return std::vector<exercise::CudaLaunch>{
        {"map_2d",
         {ceil_div(columns, 32), ceil_div(n / columns, 8)},
         {32, 8},
         {exercise::in_at(0), exercise::out_at(0), n / columns, columns}}};
  };
  map.limits = [](const AgpuSpec&, std::int64_t n) {
    const std::int64_t columns = columns_of(n);
    return std::vector<exercise::Limit>{{"Q", 4 * (n / columns) * ceil_div(columns, 32)}};
  };
  return map;
}
