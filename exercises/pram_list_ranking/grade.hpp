// marks of pram_list_ranking
inline agpusim::exercise::PramExercise the_exercise() {
  using namespace agpusim;
  exercise::PramExercise exercise;
  exercise.name = "pram_list_ranking";
  exercise.machine.access = PramAccess::erew;
  exercise.sizes = {1, 2, 3, 7, 8, 9, 64, 100};
  exercise.run = [](Pram& pram, const auto& input) {
    // The list goes through the indices in the order of the words.
    const std::vector<std::int64_t> order = exercise::order_of(input);
    std::vector<std::int64_t> next(order.size(), -1);
    for (std::size_t k = 1; k < order.size(); ++k) {
      next[static_cast<std::size_t>(order[k - 1])] = order[k];
    }
    return exercise::run_from_to(pram, next, static_cast<std::int64_t>(input.size()), solve);
  };
  exercise.expected = [](const auto& input) {
    const std::vector<std::int64_t> order = exercise::order_of(input);
    std::vector<std::int64_t> rank(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
      rank[static_cast<std::size_t>(order[k])] = static_cast<std::int64_t>(order.size() - 1 - k);
    }
    return rank;
  };
  exercise.limits = [](std::int64_t n) {
    return std::vector<exercise::Limit>{
        {"steps", 2 * ceil_lg(n) + 1, std::max<std::int64_t>(1, 2 * ceil_lg(n))},
        {"processors", n, n}};
  };
  return exercise;
}
