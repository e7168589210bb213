// marks of pram_maximum
inline agpusim::exercise::PramExercise the_exercise() {
  using namespace agpusim;
  exercise::PramExercise exercise;
  exercise.name = "pram_maximum";
  exercise.machine.access = PramAccess::common;
  exercise.sizes = {1, 2, 3, 7, 8, 9, 64, 100};
  exercise.run = [](Pram& pram, const auto& input) {
    return exercise::run_from_to(pram, input, 1, solve);
  };
  exercise.expected = [](const auto& input) {
    return std::vector<std::int64_t>{*std::max_element(input.begin(), input.end())};
  };
  exercise.limits = [](std::int64_t n) {
    return std::vector<exercise::Limit>{{"steps", 4, 3}, {"processors", n * n, n * n}};
  };
  return exercise;
}
