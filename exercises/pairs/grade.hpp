// marks of pairs
inline agpusim::exercise::KernelExercise the_exercise() {
  using namespace agpusim;
  exercise::KernelExercise exercise;
  exercise.name = "pairs";
  exercise.machines = {exercise::machine(4, 1, 64), exercise::machine(32, 2, 1024)};
  exercise.sizes = [](const AgpuSpec& spec) {
    std::vector<std::int64_t> sizes = exercise::sizes_around(spec);
    for (std::int64_t& size : sizes) size *= 2;
    return sizes;
  };
  exercise.run = [](SimulatedDevice& device, const auto& input) {
    const auto n = static_cast<std::int64_t>(input.size());
    return exercise::run_from_to(device, input, n / 2, [&](const auto& in, const auto& out) {
      device.launch(ceil_div(n / 2, device.spec().width), Pairs{n}, in, out);
    });
  };
  exercise.expected = [](const AgpuSpec& spec, const auto& input) {
    exercise::KernelExercise::Words output;
    for (std::size_t i = 0; i < input.size(); i += 2) output.push_back(input[i] + input[i + 1]);
    return output;
  };
  exercise.limits = [](const AgpuSpec& spec, std::int64_t n) {
    const std::int64_t b = spec.block_words;
    const std::int64_t best = ceil_div(n, b) + ceil_div(n / 2, b);
    return std::vector<exercise::Limit>{{"Q", best + 1, best}, {"phases", 1, 1}};
  };
  return exercise;
}
