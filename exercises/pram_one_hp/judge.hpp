inline agpusim::exercise::PramExercise judge() {
  exercise::PramExercise exercise;
  exercise.machine.access = PramAccess::crew;
  exercise.sizes = {1, 2, 3, 7, 8, 9, 64, 100};
  exercise.input = [](const auto& words) {
    exercise::PramExercise::Words prefix(words.size(), 0);
    const auto order = exercise::order_of(words);
    for (std::size_t k = 0; 2 * k < words.size(); ++k) {
      prefix[static_cast<std::size_t>(order[k])] = 1;
    }
    std::partial_sum(prefix.begin(), prefix.end(), prefix.begin());
    return prefix;
  };
  exercise.out = [](std::int64_t n) { return (n + 1) / 2; };
  exercise.expected = [](const auto& prefix) {
    exercise::PramExercise::Words keys;
    for (std::size_t v = 0; v < prefix.size(); ++v) {
      if (prefix[v] != (v > 0 ? prefix[v - 1] : 0)) keys.push_back(std::int64_t(v));
    }
    return keys;
  };
  exercise.limits = [](std::int64_t n) {
    return std::vector<exercise::Limit>{{"steps", 1}, {"processors", n}};
  };
  return exercise;
}
