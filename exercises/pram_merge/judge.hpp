inline agpusim::exercise::PramExercise judge() {
  exercise::PramExercise exercise;
  exercise.machine.access = PramAccess::crew;
  exercise.sizes = {1, 2, 3, 7, 8, 9, 64, 100};
  exercise.input = [](auto words) {
    const auto middle = words.end() - static_cast<std::ptrdiff_t>(words.size() / 2);
    std::sort(words.begin(), middle);
    std::sort(middle, words.end());
    return words;
  };
  exercise.out = [](std::int64_t n) { return n; };
  exercise.expected = [](auto input) {
    std::sort(input.begin(), input.end());
    return input;
  };
  exercise.limits = [](std::int64_t n) {
    return std::vector<exercise::Limit>{{"steps", ceil_lg(n) + 3}, {"processors", n}};
  };
  return exercise;
}
