inline agpusim::exercise::PramExercise judge() {
  exercise::PramExercise exercise;
  exercise.machine.access = PramAccess::priority;
  exercise.sizes = {1, 2, 3, 7, 8, 9, 64, 100};
  exercise.out = [](std::int64_t) { return std::int64_t{1}; };
  exercise.expected = [](const auto& input) {
    const auto first = std::find_if(input.begin(), input.end(), [](auto x) { return x != 0; });
    return std::vector<std::int64_t>{first - input.begin()};
  };
  exercise.limits = [](std::int64_t n) {
    return std::vector<exercise::Limit>{{"steps", 2}, {"processors", n}};
  };
  return exercise;
}
