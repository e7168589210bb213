// marks of sort_tile
inline agpusim::exercise::KernelExercise the_exercise() {
  using namespace agpusim;
  exercise::KernelExercise exercise;
  exercise.name = "sort_tile";
  exercise.machines = {exercise::machine(4, 4, 64), exercise::machine(32, 4, 1024)};
  exercise.sizes = [](const AgpuSpec& spec) { return std::vector<std::int64_t>{spec.width}; };
  exercise.run = [](SimulatedDevice& device, const auto& input) {
    const auto n = static_cast<std::int64_t>(input.size());
    return exercise::run_from_to(device, input, n, [&](const auto& in, const auto& out) {
      device.launch(1, SortTile{}, in, out);
    });
  };
  exercise.expected = [](const AgpuSpec& spec, const auto& input) {
    exercise::KernelExercise::Words output = input;
    std::sort(output.begin(), output.end());
    return output;
  };
  exercise.limits = [](const AgpuSpec& spec, std::int64_t n) {
    const std::int64_t warps = spec.width / spec.block_words;
    const std::int64_t lg = ceil_lg(n);
    return std::vector<exercise::Limit>{
        {"T", (6 * lg * (lg + 1) + 4) * warps, (11 * lg * (lg + 1) / 2 + 2) * warps},
        {"conflicts", 0, 0}};
  };
  return exercise;
}
