#include "agpusim/validation/exercise/grade.hpp"

using namespace agpusim;

#include AGPUSIM_ANSWER

int main(int argc, char** argv) {
  exercise::PramExercise any;
  any.name = "pram_or";
  any.machine.access = PramAccess::common;
  any.sizes = {1, 2, 3, 7, 8, 9, 64, 100};
  any.run = [](Pram& pram, const auto& input) {
    const auto in = pram.array(input, "in");
    const auto out = pram.array(std::int64_t{1}, "out");
    solve(pram, in, out);
    return pram.values(out);
  };
  any.expected = [](const auto& input) {
    bool some = false;
    for (const std::int64_t x : input) some |= x != 0;
    return std::vector<std::int64_t>{some};
  };
  any.limits = [](std::int64_t n) {
    return std::vector<exercise::Limit>{
        {"steps", 2, 2}, {"processors", n, n}, {"work", n + 1, n + 1}};
  };
  return exercise::grade(any, exercise::seed_of(argc, argv));
}
