// marks of histogram
inline agpusim::exercise::KernelExercise the_exercise() {
  using namespace agpusim;
  exercise::KernelExercise exercise;
  exercise.name = "histogram";
  exercise.machines = {exercise::machine(4, 1, 64), exercise::machine(32, 2, 1024)};
  exercise.sizes = exercise::sizes_around;
  exercise.run = [](SimulatedDevice& device, const auto& input) {
    const auto n = static_cast<std::int64_t>(input.size());
    return exercise::run_from_to(device, input, 16, [&](const auto& in, const auto& out) {
      device.launch(1, Histogram{n}, in, out);
    });
  };
  exercise.expected = [](const AgpuSpec& spec, const auto& input) {
    exercise::KernelExercise::Words counts(16, 0);
    for (const std::uint32_t x : input) ++counts[x % 16];
    return counts;
  };
  exercise.limits = [](const AgpuSpec& spec, std::int64_t n) {
    const std::int64_t blocks = ceil_div(n, spec.block_words) + ceil_div(16, spec.block_words);
    return std::vector<exercise::Limit>{
        {"contention", 0, 0}, {"serialised", 0, 0}, {"conflicts", 0, 0}, {"Q", blocks, blocks}};
  };
  return exercise;
}
