#include "agpusim/validation/exercise/grade.hpp"

#include <bit>
#include <numeric>

using namespace agpusim;

#include AGPUSIM_ANSWER

int main(int argc, char** argv) {
  exercise::PramExercise scan;
  scan.name = "pram_scan";
  scan.machine.access = PramAccess::erew;
  scan.sizes = {1, 2, 3, 7, 8, 9, 64, 100};
  scan.run = [](Pram& pram, const auto& input) {
    const auto in = pram.array(input, "in");
    const auto out = pram.array(static_cast<std::int64_t>(input.size()), "out");
    solve(pram, in, out);
    return pram.values(out);
  };
  scan.expected = [](auto input) {
    std::partial_sum(input.begin(), input.end(), input.begin());
    return input;
  };
  scan.limits = [](std::int64_t n) {
    const std::int64_t rounds = std::bit_width(static_cast<std::uint64_t>(n - 1));
    return std::vector<exercise::Limit>{{"steps", rounds + 1, rounds + 1}, {"processors", n, n}};
  };
  return exercise::grade(scan, exercise::seed_of(argc, argv));
}
