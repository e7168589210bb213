#include "agpusim/validation/exercise/grade.hpp"

#include <algorithm>

using namespace agpusim;

#include AGPUSIM_ANSWER

int main(int argc, char** argv) {
  exercise::KernelExercise reverse;
  reverse.name = "reverse";
  reverse.machines = {exercise::machine(4, 1, 64), exercise::machine(32, 2, 1024)};
  reverse.sizes = exercise::sizes_around;
  reverse.run = [](SimulatedDevice& device, const auto& input) {
    const auto n = static_cast<std::int64_t>(input.size());
    const std::int32_t width = device.spec().width;
    const auto in = device.allocate<std::uint32_t>(n, "in");
    const auto out = device.allocate<std::uint32_t>(n, "out");
    device.upload<std::uint32_t>(in, input);
    device.upload<std::uint32_t>(out, std::vector<std::uint32_t>(input.size(), 0xdeadbeef));
    device.launch((n + width - 1) / width, Reverse{n}, in, out);
    return device.download(out);
  };
  reverse.expected = [](const AgpuSpec&, auto input) {
    std::reverse(input.begin(), input.end());
    return input;
  };
  reverse.limits = [](const AgpuSpec& spec, std::int64_t n) {
    const std::int64_t b = spec.block_words;
    const std::int64_t blocks = (n + b - 1) / b;
    const std::int64_t best = blocks * 2 + (n % b == 0 ? 0 : blocks - 1);
    return std::vector<exercise::Limit>{{"Q", 3 * blocks + 1, best}, {"phases", 1, 1}};
  };
  return exercise::grade(reverse, exercise::seed_of(argc, argv));
}
