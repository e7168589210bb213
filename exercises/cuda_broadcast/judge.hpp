/// Rows of the matrix: a third of the words of both vectors.
inline std::int64_t rows_of(std::int64_t n) { return std::max<std::int64_t>(1, n / 3); }

inline agpusim::exercise::KernelExercise judge() {
  auto broadcast = exercise::cuda_exercise();
  broadcast.sizes = [](const AgpuSpec&) {
    return std::vector<std::int64_t>{2, 3, 5, 24, 33, 48, 96, 97, 150};
  };
  broadcast.unit = [](const AgpuSpec&) { return std::int64_t{2}; };
  broadcast.out = [](const AgpuSpec&, std::int64_t n) { return rows_of(n) * (n - rows_of(n)); };
  broadcast.expected = [](const AgpuSpec&, const auto& in) {
    const auto across = in.begin() + rows_of(static_cast<std::int64_t>(in.size()));
    exercise::KernelExercise::Words out;
    for (auto down = in.begin(); down != across; ++down) {
      for (auto word = across; word != in.end(); ++word) out.push_back(*down + *word);
    }
    return out;
  };
  broadcast.launches = [](const AgpuSpec&, std::int64_t n) {
    const std::int64_t rows = rows_of(n);
    return std::vector<exercise::CudaLaunch>{
        {"broadcast",
         {ceil_div(n - rows, 32), ceil_div(rows, 8)},
         {32, 8},
         {exercise::in_at(0), exercise::in_at(rows), exercise::out_at(0), rows, n - rows}}};
  };
  broadcast.limits = [](const AgpuSpec&, std::int64_t n) {
    return std::vector<exercise::Limit>{{"Q", 5 * rows_of(n) * ceil_div(n - rows_of(n), 32)}};
  };
  return broadcast;
}
