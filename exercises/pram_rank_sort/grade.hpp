// marks of pram_rank_sort
inline agpusim::exercise::PramExercise the_exercise() {
  using namespace agpusim;
  exercise::PramExercise exercise;
  exercise.name = "pram_rank_sort";
  exercise.machine.access = PramAccess::sum;
  exercise.sizes = {1, 2, 3, 7, 8, 9, 64};
  exercise.run = [](Pram& pram, const auto& input) {
    return exercise::run_from_to(pram, input, static_cast<std::int64_t>(input.size()), solve);
  };
  exercise.expected = [](auto input) {
    std::sort(input.begin(), input.end());
    return input;
  };
  exercise.limits = [](std::int64_t n) {
    return std::vector<exercise::Limit>{{"steps", 3, 2}, {"processors", n * n, n * n}};
  };
  return exercise;
}
