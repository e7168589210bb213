// marks of pram_or
inline agpusim::exercise::PramExercise the_exercise() {
  using namespace agpusim;
  exercise::PramExercise any;
  any.name = "pram_or";
  any.machine.access = PramAccess::common;
  any.sizes = {1, 2, 3, 7, 8, 9, 64, 100};
  any.run = [](Pram& pram, const auto& input) {
    return exercise::run_from_to(pram, input, 1, solve);
  };
  any.expected = [](const auto& input) {
    bool some = false;
    for (const std::int64_t x : input) some |= x != 0;
    return std::vector<std::int64_t>{some};
  };
  any.limits = [](std::int64_t n) {
    return std::vector<exercise::Limit>{
        {"steps", 2, 2}, {"processors", n, n}, {"work", n + 1, n + 1}};
  };
  return any;
}
