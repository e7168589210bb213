inline agpusim::exercise::KernelExercise judge() {
  exercise::KernelExercise exercise;
  exercise.machines = {exercise::machine(4, 1, 64), exercise::machine(32, 2, 1024)};
  exercise.sizes = [](const AgpuSpec& spec) {
    const std::int64_t V = spec.width;
    return std::vector<std::int64_t>{8 * V, 16 * V, 40 * V};
  };
  exercise.unit = [](const AgpuSpec& spec) { return 8 * std::int64_t{spec.width}; };
  exercise.out = [](const AgpuSpec&, std::int64_t n) { return n / 8; };
  exercise.expected = [](const AgpuSpec& spec, const auto& input) {
    const auto V = static_cast<std::size_t>(spec.width);
    exercise::KernelExercise::Words sums(input.size() / 8, 0);
    for (std::size_t i = 0; i < input.size(); ++i) sums[i / (8 * V) * V + i % V] += input[i];
    return sums;
  };
  exercise.limits = [](const AgpuSpec& spec, std::int64_t n) {
    const std::int64_t tasks = n / 8 / spec.width;
    const std::int64_t blocks = (n + n / 8) / spec.block_words;
    return std::vector<exercise::Limit>{{"rounds", 2 * tasks}, {"Q", blocks}};
  };
  return exercise;
}
