inline agpusim::exercise::PramExercise judge() {
  using namespace agpusim;
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
    const std::int64_t best = length + ceil_lg(groups);
    return std::vector<exercise::Limit>{{"processors", groups, groups},
                                        {"steps", 2 * length + 2, best},
                                        {"work", 2 * n + 2, n + groups - 1}};
  };
  return exercise;
}
