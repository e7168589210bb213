inline agpusim::exercise::KernelExercise judge() {
  exercise::KernelExercise exercise;
  exercise.machines = {exercise::machine(4, 1, 64), exercise::machine(32, 1, 1024)};
  exercise.draws_machine = [](std::uint64_t drawn) {
    return exercise::machine(drawn % 2 == 0 ? 8 : 16, 1, 512);
  };
  exercise.sizes = [](const AgpuSpec& spec) {
    const std::int64_t b = spec.block_words;
    return std::vector<std::int64_t>{1, 2, b - 1, b};
  };
  exercise.out = [](const AgpuSpec&, std::int64_t n) { return n; };
  exercise.expected = [](const AgpuSpec& spec, auto words) {
    std::stable_partition(words.begin(), words.end(), [](auto x) { return x % 2 == 0; });
    return words;
  };
  exercise.limits = [](const AgpuSpec& spec, std::int64_t n) {
    return std::vector<exercise::Limit>{{"T", 24}};
  };
  return exercise;
}
