inline agpusim::exercise::PramExercise judge() {
  exercise::PramExercise any;
  any.machine.access = PramAccess::common;
  any.sizes = {1, 2, 3, 7, 8, 9, 64, 100};
  any.out = [](std::int64_t) { return std::int64_t{1}; };
  any.expected = [](const auto& input) {
    bool some = false;
    for (const std::int64_t x : input) some |= x != 0;
    return std::vector<std::int64_t>{some};
  };
  any.limits = [](std::int64_t n) {
    return std::vector<exercise::Limit>{{"steps", 2}, {"processors", n}, {"work", n + 1}};
  };
  return any;
}
