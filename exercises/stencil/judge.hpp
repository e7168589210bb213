inline agpusim::exercise::KernelExercise judge() {
  exercise::KernelExercise exercise;
  exercise.machines = {exercise::machine(4, 1, 64), exercise::machine(32, 2, 1024)};
  exercise.sizes = exercise::sizes_around;
  exercise.unit = [](const AgpuSpec&) { return std::int64_t{1}; };
  exercise.out = [](const AgpuSpec&, std::int64_t n) { return n; };
  exercise.expected = [](const AgpuSpec& spec, const auto& input) {
    exercise::KernelExercise::Words output = input;
    for (std::size_t i = 0; i < input.size(); ++i) {
      output[i] += (i > 0 ? input[i - 1] : 0) + (i + 1 < input.size() ? input[i + 1] : 0);
    }
    return output;
  };
  exercise.limits = [](const AgpuSpec& spec, std::int64_t n) {
    const std::int64_t blocks = 2 * ceil_div(n, spec.block_words);
    const std::int64_t tasks = ceil_div(n, spec.width);
    return std::vector<exercise::Limit>{{"Q", blocks + 2 * tasks}, {"phases", 1}};
  };
  return exercise;
}
