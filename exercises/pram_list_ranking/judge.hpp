inline agpusim::exercise::PramExercise judge() {
  exercise::PramExercise exercise;
  exercise.machine.access = PramAccess::erew;
  exercise.sizes = {1, 2, 3, 7, 8, 9, 64, 100};
  exercise.input = [](const auto& words) {
    // The list goes through the indices in the order of the words.
    const std::vector<std::int64_t> order = exercise::order_of(words);
    std::vector<std::int64_t> next(order.size(), -1);
    for (std::size_t k = 1; k < order.size(); ++k) {
      next[static_cast<std::size_t>(order[k - 1])] = order[k];
    }
    return next;
  };
  exercise.out = [](std::int64_t n) { return n; };
  exercise.expected = [](const auto& input) {
    std::vector<std::int64_t> before(input.size(), -1);
    std::size_t node = 0;
    for (std::size_t i = 0; i < input.size(); ++i) {
      if (input[i] == -1) {
        node = i;
      } else {
        before[static_cast<std::size_t>(input[i])] = static_cast<std::int64_t>(i);
      }
    }
    std::vector<std::int64_t> rank(input.size());
    for (std::size_t k = 0; k < input.size(); ++k) {
      rank[node] = static_cast<std::int64_t>(k);
      node = static_cast<std::size_t>(before[node]);
    }
    return rank;
  };
  exercise.limits = [](std::int64_t n) {
    return std::vector<exercise::Limit>{{"steps", 2 * ceil_lg(n) + 1}, {"processors", n}};
  };
  return exercise;
}
