inline agpusim::exercise::PramExercise judge() {
  exercise::PramExercise exercise;
  exercise.machine.access = PramAccess::erew;
  exercise.sizes = {1, 2, 3, 7, 8, 9, 64, 100, 1000};
  exercise.out = [](std::int64_t) { return std::int64_t{1}; };
  exercise.expected = [](const auto& input) {
    return std::vector<std::int64_t>{std::accumulate(input.begin(), input.end(), std::int64_t{0})};
  };
  exercise.limits = [](std::int64_t n) {
    const std::int64_t length = std::max<std::int64_t>(1, ceil_lg(n));
    const std::int64_t groups = ceil_div(n, length);
    return std::vector<exercise::Limit>{
        {"processors", groups}, {"steps", 2 * length + 2}, {"work", 2 * n + 2}};
  };
  return exercise;
}
