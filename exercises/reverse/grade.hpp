// marks of reverse
inline agpusim::exercise::KernelExercise the_exercise() {
  using namespace agpusim;
  exercise::KernelExercise reverse;
  reverse.name = "reverse";
  reverse.machines = {exercise::machine(4, 1, 64), exercise::machine(32, 2, 1024)};
  reverse.sizes = exercise::sizes_around;
  reverse.run = [](SimulatedDevice& device, const auto& input) {
    const auto n = static_cast<std::int64_t>(input.size());
    return exercise::run_from_to(device, input, n, [&](const auto& in, const auto& out) {
      device.launch(ceil_div(n, device.spec().width), Reverse{n}, in, out);
    });
  };
  reverse.expected = [](const AgpuSpec&, auto input) {
    std::reverse(input.begin(), input.end());
    return input;
  };
  reverse.limits = [](const AgpuSpec& spec, std::int64_t n) {
    const std::int64_t b = spec.block_words;
    const std::int64_t blocks = ceil_div(n, b);
    const std::int64_t best = blocks * 2 + (n % b == 0 ? 0 : blocks - 1);
    return std::vector<exercise::Limit>{{"Q", 3 * blocks + 1, best}, {"phases", 1, 1}};
  };
  return reverse;
}
