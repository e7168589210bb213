inline agpusim::exercise::KernelExercise judge() {
  exercise::KernelExercise exercise;
  for (const std::int32_t b : {4, 16}) {
    exercise.machines.push_back(exercise::machine(b, 1, 3 * b * b));
  }
  exercise.draws_machine = [](std::uint64_t drawn) {
    const auto b = static_cast<std::int32_t>(3 + drawn % 8);
    return exercise::machine(b, 1, 3 * b * b);
  };
  exercise.sizes = [](const AgpuSpec& spec) {
    const std::int64_t V = spec.width;
    return std::vector<std::int64_t>{2 * V * V, 8 * V * V};  // m = V, 2V
  };
  exercise.out = [](const AgpuSpec&, std::int64_t n) { return n / 2; };
  exercise.expected = [](const AgpuSpec& spec, const auto& input) {
    const auto V = static_cast<std::size_t>(spec.width);
    const std::size_t m = input.size() == 2 * V * V ? V : 2 * V;
    exercise::KernelExercise::Words c(m * m, 0);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t k = 0; k < m; ++k) {
        for (std::size_t j = 0; j < m; ++j)
          c[i * m + j] += input[i * m + k] * input[m * m + k * m + j];
      }
    }
    return c;
  };
  exercise.limits = [](const AgpuSpec& spec, std::int64_t n) {
    const std::int64_t V = spec.width;
    const std::int64_t m = n == 2 * V * V ? V : 2 * V;
    const std::int64_t tiles = 2 * m * m * m / (V * V);
    return std::vector<exercise::Limit>{{"Q", tiles + 2 * m * m / V}, {"phases", 1}};
  };
  return exercise;
}
