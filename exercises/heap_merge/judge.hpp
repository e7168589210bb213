inline agpusim::exercise::KernelExercise judge() {
  exercise::KernelExercise exercise;
  exercise.machines = {exercise::machine(4, 1, 64), exercise::machine(32, 1, 1024)};
  exercise.draws_machine = [](std::uint64_t drawn) {
    return exercise::machine(drawn % 2 == 0 ? 8 : 16, 1, 512);
  };
  exercise.sizes = [](const AgpuSpec& spec) { return std::vector<std::int64_t>{2 * spec.width}; };
  exercise.input = [](auto words) {
    const auto middle = words.begin() + static_cast<std::ptrdiff_t>(words.size() / 2);
    std::sort(words.begin(), middle);
    std::sort(middle, words.end());
    return words;
  };
  exercise.out = [](const AgpuSpec&, std::int64_t n) { return n; };
  exercise.expected = [](const AgpuSpec&, auto words) {
    std::sort(words.begin(), words.end());
    return words;
  };
  exercise.limits = [](const AgpuSpec& spec, std::int64_t n) {
    return std::vector<exercise::Limit>{
        {"T", 16 * ceil_lg(spec.block_words) + 12}, {"conflicts", 0}, {"Q", 4}};
  };
  return exercise;
}
