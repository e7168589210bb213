inline agpusim::exercise::PramExercise judge() {
  exercise::PramExercise exercise;
  exercise.machine.access = PramAccess::erew;
  exercise.sizes = {1, 2, 3, 7, 8, 9, 64, 100};
  exercise.out = [](std::int64_t n) { return n; };
  exercise.expected = [](auto input) {
    std::reverse(input.begin(), input.end());
    return input;
  };
  exercise.limits = [](std::int64_t n) {
    return std::vector<exercise::Limit>{{"steps", 1}, {"processors", n}};
  };
  return exercise;
}
