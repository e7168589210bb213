// marks of compaction
inline agpusim::exercise::KernelExercise the_exercise() {
  using namespace agpusim;
  exercise::KernelExercise exercise;
  exercise.name = "compaction";
  exercise.machines = {exercise::machine(4, 1, 64), exercise::machine(32, 2, 1024)};
  exercise.sizes = exercise::sizes_around;
  exercise.run = [](SimulatedDevice& device, const auto& input) {
    const auto n = static_cast<std::int64_t>(input.size());
    return exercise::run_from_to(device, input, n, [&](const auto& in, const auto& out) {
      device.launch(1, Compaction{n}, in, out);
    });
  };
  exercise.expected = [](const AgpuSpec& spec, const auto& input) {
    exercise::KernelExercise::Words output;
    for (const std::uint32_t x : input) {
      if (x != 0) output.push_back(x);
    }
    output.resize(input.size(), 0);
    return output;
  };
  exercise.limits = [](const AgpuSpec& spec, std::int64_t n) {
    const std::int64_t blocks = ceil_div(n, spec.block_words);
    return std::vector<exercise::Limit>{
        {"Q", 3 * blocks + 2 * ceil_div(n, spec.width) + 2, 3 * blocks}, {"phases", 1, 1}};
  };
  return exercise;
}
