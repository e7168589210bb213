/// Rows of a matrix of n words: the largest divisor up to its root.
inline std::int64_t rows_of(std::int64_t n) {
  std::int64_t rows = 1;
  for (std::int64_t d = 1; d * d <= n; ++d) rows = n % d == 0 ? d : rows;
  return rows;
}

inline agpusim::exercise::KernelExercise judge() {
  exercise::KernelExercise sums;
  sums.machines = {exercise::machine(32, 4, 12288)};
  sums.sizes = exercise::sizes_around;
  sums.unit = [](const AgpuSpec&) { return std::int64_t{1}; };
  sums.out = [](const AgpuSpec&, std::int64_t n) { return rows_of(n); };
  sums.expected = [](const AgpuSpec&, const auto& in) {
    const auto n = static_cast<std::int64_t>(in.size());
    exercise::KernelExercise::Words out(static_cast<std::size_t>(rows_of(n)), 0);
    for (std::int64_t i = 0; i < n; ++i) out[i / (n / rows_of(n))] += in[i];
    return out;
  };
  sums.launches = [](const AgpuSpec&, std::int64_t n) {
    const std::int64_t rows = rows_of(n);
    return std::vector<exercise::CudaLaunch>{
        {"axis_sum", {rows}, {128}, {exercise::in_at(0), exercise::out_at(0), n / rows}}};
  };
  sums.limits = [](const AgpuSpec&, std::int64_t n) {
    const std::int64_t rows = rows_of(n);
    const std::int64_t columns = n / rows;
    return std::vector<exercise::Limit>{
        {"Q", rows * (2 * ceil_div(columns, 32) + ceil_div(columns, 128) + 1)},
        {"T", ceil_div(rows, 4) * (320 + 60 * ceil_div(columns, 128))},
        {"contention", 0},
        {"conflicts", 0}};
  };
  return sums;
}
