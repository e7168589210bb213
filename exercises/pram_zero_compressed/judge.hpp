inline agpusim::exercise::PramExercise judge() {
  exercise::PramExercise exercise;
  exercise.machine.access = PramAccess::sum;
  exercise.sizes = {1, 2, 3, 7, 8, 9, 64};
  exercise.input = [](auto words) {
    for (std::int64_t& word : words) word = word % 4 * (word % 3 == 0);
    return words;
  };
  exercise.out = [](std::int64_t n) { return n; };
  exercise.expected = [](const auto& histogram) {
    exercise::PramExercise::Words places;
    for (std::size_t v = 0; v < histogram.size(); ++v) {
      if (histogram[v] > 0) places.push_back(std::int64_t(v) + 1);
    }
    places.resize(histogram.size(), 0);
    return places;
  };
  exercise.limits = [](std::int64_t n) {
    return std::vector<exercise::Limit>{{"steps", 2}, {"processors", n * n + n}};
  };
  return exercise;
}
