inline agpusim::exercise::KernelExercise judge() {
  exercise::KernelExercise exercise;
  exercise.machines = {exercise::machine(4, 4, 64), exercise::machine(32, 8, 1024)};
  exercise.draws_machine = [](std::uint64_t drawn) {
    return exercise::machine(drawn % 2 == 0 ? 8 : 16, 4, 512);
  };
  exercise.sizes = [](const AgpuSpec& spec) { return std::vector<std::int64_t>{spec.width}; };
  exercise.out = [](const AgpuSpec&, std::int64_t) { return std::int64_t{1}; };
  exercise.expected = [](const AgpuSpec& spec, const auto& input) {
    return exercise::KernelExercise::Words{
        std::accumulate(input.begin(), input.end(), std::uint32_t{0})};
  };
  exercise.limits = [](const AgpuSpec& spec, std::int64_t n) {
    const std::int64_t warps = n / spec.block_words;
    const std::int64_t lg = ceil_lg(n);
    return std::vector<exercise::Limit>{{"T", (lg + 12) * warps + 6 * lg}, {"conflicts", 0}};
  };
  return exercise;
}
