// marks of stencil
inline agpusim::exercise::KernelExercise the_exercise() {
  using namespace agpusim;
  exercise::KernelExercise exercise;
  exercise.name = "stencil";
  exercise.machines = {exercise::machine(4, 1, 64), exercise::machine(32, 2, 1024)};
  exercise.sizes = exercise::sizes_around;
  exercise.run = [](SimulatedDevice& device, const auto& input) {
    const auto n = static_cast<std::int64_t>(input.size());
    return exercise::run_from_to(device, input, n, [&](const auto& in, const auto& out) {
      device.launch(ceil_div(n, device.spec().width), Stencil{n}, in, out);
    });
  };
  exercise.expected = [](const AgpuSpec& spec, const auto& input) {
    exercise::KernelExercise::Words output = input;
    for (std::size_t i = 0; i < input.size(); ++i) {
      output[i] += (i > 0 ? input[i - 1] : 0) + (i + 1 < input.size() ? input[i + 1] : 0);
    }
    return output;
  };
  exercise.limits = [](const AgpuSpec& spec, std::int64_t n) {
    const std::int64_t blocks = 2 * ceil_div(n, spec.block_words);
    const std::int64_t tasks = ceil_div(n, spec.width);
    return std::vector<exercise::Limit>{{"Q", blocks + 2 * tasks, blocks + 2 * (tasks - 1)},
                                        {"phases", 1, 1}};
  };
  return exercise;
}
