// marks of pram_reverse
inline agpusim::exercise::PramExercise the_exercise() {
  using namespace agpusim;
  exercise::PramExercise exercise;
  exercise.name = "pram_reverse";
  exercise.machine.access = PramAccess::erew;
  exercise.sizes = {1, 2, 3, 7, 8, 9, 64, 100};
  exercise.run = [](Pram& pram, const auto& input) {
    return exercise::run_from_to(pram, input, static_cast<std::int64_t>(input.size()), solve);
  };
  exercise.expected = [](auto input) {
    std::reverse(input.begin(), input.end());
    return input;
  };
  exercise.limits = [](std::int64_t n) {
    return std::vector<exercise::Limit>{{"steps", 1, 1}, {"processors", n, n}};
  };
  return exercise;
}
