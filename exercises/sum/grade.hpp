// marks of sum
inline agpusim::exercise::KernelExercise the_exercise() {
  using namespace agpusim;
  exercise::KernelExercise exercise;
  exercise.name = "sum";
  exercise.machines = {exercise::machine(4, 1, 64), exercise::machine(32, 2, 1024)};
  exercise.sizes = exercise::sizes_around;
  exercise.run = [](SimulatedDevice& device, const auto& input) {
    const auto n = static_cast<std::int64_t>(input.size());
    return exercise::run_from_to(device, input, 1, [&](const auto& in, const auto& out) {
      const std::int64_t tasks = ceil_div(n, std::int64_t{4} * device.spec().width);
      const auto sums = device.allocate<std::uint32_t>(tasks, "sums");
      device.launch(tasks, Partial{n}, in, sums);
      device.launch(1, Total{tasks}, sums, out);
    });
  };
  exercise.expected = [](const AgpuSpec& spec, const auto& input) {
    return exercise::KernelExercise::Words{
        std::accumulate(input.begin(), input.end(), std::uint32_t{0})};
  };
  exercise.limits = [](const AgpuSpec& spec, std::int64_t n) {
    const std::int64_t blocks = ceil_div(n, spec.block_words);
    const std::int64_t tasks = ceil_div(n, std::int64_t{4} * spec.width);
    return std::vector<exercise::Limit>{
        {"Q", blocks + 3 * tasks + 2, blocks + tasks + ceil_div(tasks, spec.block_words) + 1},
        {"contention", 0, 0},
        {"phases", 2, 2}};
  };
  return exercise;
}
