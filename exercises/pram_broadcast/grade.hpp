// marks of pram_broadcast
inline agpusim::exercise::PramExercise the_exercise() {
  using namespace agpusim;
  exercise::PramExercise exercise;
  exercise.name = "pram_broadcast";
  exercise.machine.access = PramAccess::erew;
  exercise.sizes = {1, 2, 3, 7, 8, 9, 64, 100};
  exercise.run = [](Pram& pram, const auto& input) {
    return exercise::run_from_to(pram, input, static_cast<std::int64_t>(input.size()), solve);
  };
  exercise.expected = [](const auto& input) {
    return std::vector<std::int64_t>(input.size(), input.front());
  };
  exercise.limits = [](std::int64_t n) {
    const std::int64_t rounds = ceil_lg(n);
    return std::vector<exercise::Limit>{{"steps", rounds + 1, rounds + 1},
                                        {"processors", n, std::max<std::int64_t>(1, n / 2)}};
  };
  return exercise;
}
