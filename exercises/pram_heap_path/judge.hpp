inline agpusim::exercise::PramExercise judge() {
  exercise::PramExercise exercise;
  exercise.machine.access = PramAccess::erew;
  exercise.sizes = {4, 8, 16, 64, 256};
  exercise.size = [](std::int64_t drawn) { return std::int64_t{4} << drawn % 8; };
  exercise.out = [](std::int64_t) { return std::int64_t{1}; };
  exercise.expected = [](const auto& last) {
    std::size_t v = 1;
    while (2 * v < last.size()) v = 2 * v + (last[2 * v + 1] < last[2 * v] ? 1 : 0);
    return exercise::PramExercise::Words{std::int64_t(v - last.size() / 2)};
  };
  exercise.limits = [](std::int64_t n) {
    return std::vector<exercise::Limit>{{"steps", ceil_lg(n) - 1}, {"processors", 1}};
  };
  return exercise;
}
