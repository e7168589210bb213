inline agpusim::exercise::KernelExercise judge() {
  exercise::KernelExercise exercise;
  for (const std::int32_t b : {2, 4, 16, 32}) {
    exercise.machines.push_back(exercise::machine(b, 1, b * (b + 1)));
  }
  exercise.draws_machine = [](std::uint64_t drawn) {
    const auto b = static_cast<std::int32_t>(3 + drawn % 29);
    return exercise::machine(b, 1, b * (b + 1));
  };
  exercise.sizes = [](const AgpuSpec& spec) {
    return std::vector<std::int64_t>{std::int64_t{spec.width} * spec.width};
  };
  exercise.out = [](const AgpuSpec& spec, std::int64_t) { return std::int64_t{spec.width}; };
  exercise.expected = [](const AgpuSpec& spec, const auto& input) {
    const auto V = static_cast<std::size_t>(spec.width);
    exercise::KernelExercise::Words sums(V, 0);
    for (std::size_t i = 0; i < input.size(); ++i) sums[i / V] += input[i];
    return sums;
  };
  exercise.limits = [](const AgpuSpec& spec, std::int64_t n) {
    const std::int64_t rows = spec.width;
    return std::vector<exercise::Limit>{{"Q", rows + 1}, {"conflicts", 0}};
  };
  return exercise;
}
