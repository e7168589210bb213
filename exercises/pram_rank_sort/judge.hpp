inline agpusim::exercise::PramExercise judge() {
  exercise::PramExercise exercise;
  exercise.machine.access = PramAccess::sum;
  exercise.sizes = {1, 2, 3, 7, 8, 9, 64};
  exercise.out = [](std::int64_t n) { return n; };
  exercise.expected = [](auto input) {
    std::sort(input.begin(), input.end());
    return input;
  };
  exercise.limits = [](std::int64_t n) {
    return std::vector<exercise::Limit>{{"steps", 3}, {"processors", n * n}};
  };
  return exercise;
}
