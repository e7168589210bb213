inline agpusim::exercise::PramExercise judge() {
  exercise::PramExercise exercise;
  exercise.machine.access = PramAccess::erew;
  exercise.sizes = {2, 8, 18, 50, 128};
  exercise.size = [](std::int64_t drawn) {
    const std::int64_t m = 1 + drawn % 12;
    return 2 * m * m;
  };
  exercise.input = [](auto words) {
    for (auto& x : words) x %= 1000;  // so that sums fit a word
    return words;
  };
  exercise.out = [](std::int64_t n) { return n / 2; };
  exercise.expected = [](const auto& input) {
    std::size_t m = 1;
    while (2 * m * m < input.size()) ++m;
    std::vector<std::int64_t> c(m * m, 0);
    for (std::size_t i = 0; i < m * m * m; ++i) {
      c[i / m] += input[i / (m * m) * m + i % m] * input[m * m + i % m * m + i / m % m];
    }
    return c;
  };
  exercise.limits = [](std::int64_t n) {
    std::int64_t m = 1;
    while (2 * m * m < n) ++m;
    return std::vector<exercise::Limit>{{"steps", m + 1}, {"processors", m * m}};
  };
  return exercise;
}
