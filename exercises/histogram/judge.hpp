inline agpusim::exercise::KernelExercise judge() {
  exercise::KernelExercise exercise;
  exercise.machines = {exercise::machine(4, 1, 64), exercise::machine(32, 2, 1024)};
  exercise.sizes = exercise::sizes_around;
  exercise.unit = [](const AgpuSpec&) { return std::int64_t{1}; };
  exercise.out = [](const AgpuSpec&, std::int64_t) { return std::int64_t{16}; };
  exercise.expected = [](const AgpuSpec& spec, const auto& input) {
    exercise::KernelExercise::Words counts(16, 0);
    for (const std::uint32_t x : input) ++counts[x % 16];
    return counts;
  };
  exercise.limits = [](const AgpuSpec& spec, std::int64_t n) {
    const std::int64_t blocks = ceil_div(n, spec.block_words) + ceil_div(16, spec.block_words);
    return std::vector<exercise::Limit>{
        {"contention", 0}, {"serialised", 0}, {"conflicts", 0}, {"Q", blocks}};
  };
  return exercise;
}
