inline agpusim::exercise::KernelExercise judge() {
  exercise::KernelExercise transpose;
  for (const std::int32_t b : {2, 4, 16, 32}) {
    transpose.machines.push_back(exercise::machine(b, 1, b * (b + 1)));
  }
  transpose.draws_machine = [](std::uint64_t drawn) {
    const auto b = static_cast<std::int32_t>(3 + drawn % 29);
    return exercise::machine(b, 1, b * (b + 1));
  };
  transpose.sizes = [](const AgpuSpec& spec) {
    return std::vector<std::int64_t>{std::int64_t{spec.width} * spec.width};
  };
  transpose.out = [](const AgpuSpec&, std::int64_t n) { return n; };
  transpose.expected = [](const AgpuSpec& spec, const auto& input) {
    const auto V = static_cast<std::size_t>(spec.width);
    auto output = input;
    for (std::size_t i = 0; i < input.size(); ++i) output[i % V * V + i / V] = input[i];
    return output;
  };
  transpose.limits = [](const AgpuSpec& spec, std::int64_t) {
    const std::int64_t rows = spec.width;
    return std::vector<exercise::Limit>{{"Q", 2 * rows}, {"conflicts", 0}};
  };
  return transpose;
}
