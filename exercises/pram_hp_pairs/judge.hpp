inline agpusim::exercise::PramExercise judge() {
  exercise::PramExercise exercise;
  exercise.machine.access = PramAccess::sum;
  exercise.sizes = {1, 2, 3, 7, 8, 9, 64};
  exercise.input = [](auto words) {
    const auto n = static_cast<std::int64_t>(words.size());
    for (std::int64_t& word : words) word %= n + 1;
    std::sort(words.begin(), words.end());
    words.back() = n;
    return words;
  };
  exercise.out = [](std::int64_t n) { return n; };
  exercise.expected = [](const auto& prefix) {
    exercise::PramExercise::Words keys;
    std::int64_t v = 0;
    for (std::int64_t i = 0; i < std::int64_t(prefix.size()); ++i) {
      while (prefix[static_cast<std::size_t>(v)] <= i) ++v;
      keys.push_back(v);
    }
    return keys;
  };
  exercise.limits = [](std::int64_t n) {
    return std::vector<exercise::Limit>{{"steps", 2}, {"processors", n * n}};
  };
  return exercise;
}
