inline agpusim::exercise::KernelExercise judge() {
  exercise::KernelExercise reverse;
  reverse.machines = {exercise::machine(4, 1, 64), exercise::machine(32, 2, 1024)};
  reverse.sizes = exercise::sizes_around;
  reverse.unit = [](const AgpuSpec&) { return std::int64_t{1}; };
  reverse.out = [](const AgpuSpec&, std::int64_t n) { return n; };
  reverse.expected = [](const AgpuSpec&, auto input) {
    std::reverse(input.begin(), input.end());
    return input;
  };
  reverse.limits = [](const AgpuSpec& spec, std::int64_t n) {
    const std::int64_t blocks = ceil_div(n, spec.block_words);
    return std::vector<exercise::Limit>{{"Q", 3 * blocks + 1}, {"phases", 1}};
  };
  return reverse;
}
