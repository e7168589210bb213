inline agpusim::exercise::PramExercise judge() {
  exercise::PramExercise exercise;
  exercise.machine.access = PramAccess::erew;
  exercise.sizes = {1, 2, 3, 7, 8, 9, 64, 100};
  exercise.out = [](std::int64_t) { return std::int64_t{1}; };
  exercise.expected = [](const auto& input) {
    bool some = false;
    for (const std::int64_t x : input) some |= x != 0;
    return std::vector<std::int64_t>{some};
  };
  exercise.limits = [](std::int64_t n) {
    const std::int64_t rounds = ceil_lg(n);
    return std::vector<exercise::Limit>{{"steps", rounds + 2}, {"work", 3 * n}};
  };
  return exercise;
}
