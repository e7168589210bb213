// marks of pram_merge
inline agpusim::exercise::PramExercise the_exercise() {
  using namespace agpusim;
  exercise::PramExercise exercise;
  exercise.name = "pram_merge";
  exercise.machine.access = PramAccess::crew;
  exercise.sizes = {1, 2, 3, 7, 8, 9, 64, 100};
  exercise.run = [](Pram& pram, auto input) {
    const auto middle = input.end() - static_cast<std::ptrdiff_t>(input.size() / 2);
    std::sort(input.begin(), middle);
    std::sort(middle, input.end());
    return exercise::run_from_to(pram, input, static_cast<std::int64_t>(input.size()), solve);
  };
  exercise.expected = [](auto input) {
    std::sort(input.begin(), input.end());
    return input;
  };
  exercise.limits = [](std::int64_t n) {
    return std::vector<exercise::Limit>{
        {"steps", ceil_lg(n) + 3, std::max<std::int64_t>(1, ceil_lg(n))}, {"processors", n, n}};
  };
  return exercise;
}
