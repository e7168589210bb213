inline agpusim::exercise::KernelExercise judge() {
  exercise::KernelExercise exercise;
  exercise.machines = {exercise::machine(4, 1, 64), exercise::machine(32, 2, 1024)};
  exercise.sizes = exercise::sizes_around;
  exercise.unit = [](const AgpuSpec&) { return std::int64_t{1}; };
  exercise.out = [](const AgpuSpec&, std::int64_t) { return std::int64_t{1}; };
  exercise.expected = [](const AgpuSpec& spec, const auto& input) {
    return exercise::KernelExercise::Words{
        std::accumulate(input.begin(), input.end(), std::uint32_t{0})};
  };
  exercise.limits = [](const AgpuSpec& spec, std::int64_t n) {
    const std::int64_t blocks = ceil_div(n, spec.block_words);
    const std::int64_t tasks = ceil_div(n, std::int64_t{4} * spec.width);
    return std::vector<exercise::Limit>{
        {"Q", blocks + 3 * tasks + 2}, {"contention", 0}, {"conflicts", 0}, {"phases", 2}};
  };
  return exercise;
}
