inline agpusim::exercise::KernelExercise judge() {
  exercise::KernelExercise exercise;
  exercise.machines = {exercise::machine(4, 1, 64), exercise::machine(32, 2, 1024)};
  exercise.sizes = [](const AgpuSpec& spec) {
    std::vector<std::int64_t> sizes = exercise::sizes_around(spec);
    for (std::int64_t& size : sizes) size *= 2;
    return sizes;
  };
  exercise.unit = [](const AgpuSpec&) { return std::int64_t{2}; };
  exercise.out = [](const AgpuSpec&, std::int64_t n) { return n / 2; };
  exercise.expected = [](const AgpuSpec& spec, const auto& input) {
    exercise::KernelExercise::Words output;
    for (std::size_t i = 0; i < input.size(); i += 2) output.push_back(input[i] + input[i + 1]);
    return output;
  };
  exercise.limits = [](const AgpuSpec& spec, std::int64_t n) {
    const std::int64_t b = spec.block_words;
    const std::int64_t blocks = ceil_div(n, b) + ceil_div(n / 2, b);
    return std::vector<exercise::Limit>{{"Q", blocks + 1}, {"phases", 1}};
  };
  return exercise;
}
