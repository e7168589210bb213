inline agpusim::exercise::KernelExercise judge() {
  exercise::KernelExercise exercise;
  exercise.machines = {exercise::machine(4, 1, 64), exercise::machine(32, 2, 1024)};
  exercise.sizes = [](const AgpuSpec& spec) {
    const std::int64_t V = spec.width;
    return std::vector<std::int64_t>{1, V - 1, V, V + 1, 40 * V - 1, 40 * V};
  };
  exercise.unit = [](const AgpuSpec&) { return std::int64_t{1}; };
  exercise.out = [](const AgpuSpec&, std::int64_t n) { return n; };
  exercise.expected = [](const AgpuSpec& spec, const auto& input) {
    exercise::KernelExercise::Words output;
    for (const std::uint32_t x : input) output.push_back(x % 2 == 0 ? x / 2 : 3 * x + 1);
    return output;
  };
  exercise.limits = [](const AgpuSpec& spec, std::int64_t n) {
    const std::int64_t idle = n % spec.width == 0 ? 0 : 16 * spec.width;
    return std::vector<exercise::Limit>{{"idle_lanes", idle},
                                        {"Q", 2 * ceil_div(n, spec.block_words)}};
  };
  return exercise;
}
