// marks of pram_matrix_product
inline agpusim::exercise::PramExercise the_exercise() {
  using namespace agpusim;
  exercise::PramExercise exercise;
  exercise.name = "pram_matrix_product";
  exercise.machine.access = PramAccess::erew;
  exercise.sizes = {2, 8, 18, 50, 128};
  exercise.run = [](Pram& pram, auto input) {
    for (auto& x : input) x %= 1000;  // so that sums fit a word
    return exercise::run_from_to(pram, input, static_cast<std::int64_t>(input.size()) / 2, solve);
  };
  exercise.expected = [](auto input) {
    for (auto& x : input) x %= 1000;
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
    return std::vector<exercise::Limit>{{"steps", m + 1, m}, {"processors", m * m, m * m}};
  };
  return exercise;
}
