inline agpusim::exercise::PramExercise judge() {
  exercise::PramExercise scan;
  scan.machine.access = PramAccess::erew;
  scan.sizes = {1, 2, 3, 7, 8, 9, 64, 100};
  scan.out = [](std::int64_t n) { return n; };
  scan.expected = [](auto input) {
    std::partial_sum(input.begin(), input.end(), input.begin());
    return input;
  };
  scan.limits = [](std::int64_t n) {
    const std::int64_t rounds = ceil_lg(n);
    return std::vector<exercise::Limit>{{"steps", rounds + 1}, {"processors", n}};
  };
  return scan;
}
