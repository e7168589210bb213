inline agpusim::exercise::KernelExercise judge() {
  exercise::KernelExercise exercise;
  exercise.machines = {exercise::machine(4, 1, 64), exercise::machine(32, 2, 1024)};
  exercise.sizes = exercise::sizes_around;
  exercise.unit = [](const AgpuSpec&) { return std::int64_t{1}; };
  exercise.out = [](const AgpuSpec&, std::int64_t n) { return n; };
  exercise.expected = [](const AgpuSpec& spec, const auto& input) {
    exercise::KernelExercise::Words output;
    for (const std::uint32_t x : input) {
      if (x != 0) output.push_back(x);
    }
    output.resize(input.size(), 0);
    return output;
  };
  exercise.limits = [](const AgpuSpec& spec, std::int64_t n) {
    const std::int64_t warps = ceil_div(n, spec.width) * spec.width / spec.block_words;
    return std::vector<exercise::Limit>{{"T", (8 * ceil_lg(spec.width) + 20) * warps},
                                        {"phases", 1}};
  };
  return exercise;
}
