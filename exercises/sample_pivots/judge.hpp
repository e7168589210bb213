inline agpusim::exercise::KernelExercise judge() {
  exercise::KernelExercise exercise;
  exercise.machines = {exercise::machine(4, 1, 64), exercise::machine(32, 1, 1024)};
  exercise.sizes = [](const AgpuSpec& spec) {
    const std::int64_t b = spec.block_words;
    return std::vector<std::int64_t>{4 * b, 4 * b * (b + 2)};
  };
  exercise.unit = [](const AgpuSpec& spec) { return 4 * std::int64_t{spec.block_words}; };
  exercise.input = [](auto words) {
    const auto h = static_cast<std::ptrdiff_t>(words.size() / 4);
    for (auto run = words.begin(); run != words.end(); run += h) std::sort(run, run + h);
    return words;
  };
  exercise.out = [](const AgpuSpec& spec, std::int64_t) {
    return 4 * std::int64_t{spec.block_words};
  };
  exercise.expected = [](const AgpuSpec& spec, const auto& words) {
    const auto b = static_cast<std::size_t>(spec.block_words);
    const std::size_t h = words.size() / 4;
    exercise::KernelExercise::Words pivots;
    for (std::size_t run = 0; run < 4; ++run) {
      for (std::size_t t = 1; t <= b; ++t)
        pivots.push_back(words[run * h + (t * h + b) / (b + 1) - 1]);
    }
    return pivots;
  };
  exercise.limits = [](const AgpuSpec& spec, std::int64_t) {
    return std::vector<exercise::Limit>{{"Q", 4 * std::int64_t{spec.block_words} + 4}};
  };
  return exercise;
}
