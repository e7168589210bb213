inline agpusim::exercise::KernelExercise judge() {
  exercise::KernelExercise exercise;
  exercise.machines = {exercise::machine(4, 4, 64), exercise::machine(32, 4, 1024)};
  exercise.draws_machine = [](std::uint64_t drawn) {
    return exercise::machine(drawn % 2 == 0 ? 8 : 16, 4, 512);
  };
  exercise.sizes = [](const AgpuSpec& spec) {
    const std::int64_t V = spec.width;
    const std::int64_t b = spec.block_words;
    return std::vector<std::int64_t>{1, 2, b - 1, b, b + 1, V - 1, V};
  };
  exercise.out = [](const AgpuSpec&, std::int64_t n) { return n; };
  exercise.expected = [](const AgpuSpec& spec, const auto& input) {
    exercise::KernelExercise::Words output;
    std::uint32_t sum = 0;
    for (const std::uint32_t x : input) output.push_back(sum = x % 2 == 1 ? x : sum + x);
    return output;
  };
  exercise.limits = [](const AgpuSpec& spec, std::int64_t n) {
    const std::int64_t warps = spec.width / spec.block_words;
    const std::int64_t rounds = ceil_lg(spec.width);
    return std::vector<exercise::Limit>{{"T", (16 * rounds + 16) * warps}, {"phases", 1}};
  };
  return exercise;
}
