// marks of row_sums
inline agpusim::exercise::KernelExercise the_exercise() {
  using namespace agpusim;
  exercise::KernelExercise exercise;
  exercise.name = "row_sums";
  for (const std::int32_t b : {2, 4, 16, 32}) {
    exercise.machines.push_back(exercise::machine(b, 1, b * (b + 1)));
  }
  exercise.sizes = [](const AgpuSpec& spec) {
    return std::vector<std::int64_t>{std::int64_t{spec.width} * spec.width};
  };
  exercise.run = [](SimulatedDevice& device, const auto& input) {
    const auto n = static_cast<std::int64_t>(input.size());
    return exercise::run_from_to(
        device, input, device.spec().width,
        [&](const auto& in, const auto& out) { device.launch(1, RowSums{}, in, out); });
  };
  exercise.expected = [](const AgpuSpec& spec, const auto& input) {
    const auto V = static_cast<std::size_t>(spec.width);
    exercise::KernelExercise::Words sums(V, 0);
    for (std::size_t i = 0; i < input.size(); ++i) sums[i / V] += input[i];
    return sums;
  };
  exercise.limits = [](const AgpuSpec& spec, std::int64_t n) {
    const std::int64_t rows = spec.width;
    return std::vector<exercise::Limit>{{"Q", rows + 1, rows + 1}, {"conflicts", 0, 0}};
  };
  return exercise;
}
