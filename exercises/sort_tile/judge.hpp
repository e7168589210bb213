inline agpusim::exercise::KernelExercise judge() {
  exercise::KernelExercise exercise;
  exercise.machines = {exercise::machine(4, 4, 64), exercise::machine(32, 4, 1024)};
  exercise.draws_machine = [](std::uint64_t drawn) {
    return exercise::machine(drawn % 2 == 0 ? 8 : 16, 4, 512);
  };
  exercise.sizes = [](const AgpuSpec& spec) { return std::vector<std::int64_t>{spec.width}; };
  exercise.out = [](const AgpuSpec&, std::int64_t n) { return n; };
  exercise.expected = [](const AgpuSpec& spec, const auto& input) {
    exercise::KernelExercise::Words output = input;
    std::sort(output.begin(), output.end());
    return output;
  };
  exercise.limits = [](const AgpuSpec& spec, std::int64_t n) {
    const std::int64_t warps = spec.width / spec.block_words;
    const std::int64_t lg = ceil_lg(n);
    return std::vector<exercise::Limit>{{"T", (6 * lg * (lg + 1) + 4) * warps}, {"conflicts", 0}};
  };
  return exercise;
}
