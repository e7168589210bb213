#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "agpusim/algorithms/common/pram/logarithms.hpp"
#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/cost/units.hpp"
#include "agpusim/model/loop.hpp"
#include "agpusim/model/pram/machine.hpp"

namespace agpusim::report {
struct Report;
}

// What exercises are made of. exercises/<name>/grade.hpp defines `the_exercise()` around the
// answer, which is included before it; `agpusim exercise grade` compiles both and runs them. A
// package has no headers of other libraries, so this shows none.
namespace agpusim::exercise {

/// What an answer may cost. `bound` must be met; `best` is the best that is known.
struct Limit {
  std::string cost;  ///< as REQUIRE_COST names it; of a PRAM steps, processors or work
  std::int64_t bound = 0;
  std::int64_t best = 0;
};

/// An exercise for a kernel on arrays of 32-bit words.
struct KernelExercise {
  using Words = std::vector<std::uint32_t>;
  std::string name;
  std::vector<AgpuSpec> machines;
  std::function<std::vector<std::int64_t>(const AgpuSpec&)> sizes;  ///< of the input
  /// Uploads the input, launches the kernels and downloads the array "out".
  std::function<Words(SimulatedDevice&, const Words&)> run;
  std::function<Words(const AgpuSpec&, const Words&)> expected;
  std::function<std::vector<Limit>(const AgpuSpec&, std::int64_t n)> limits;
};

/// An exercise for a step program of a PRAM.
struct PramExercise {
  using Words = std::vector<std::int64_t>;
  std::string name;
  PramSpec machine;
  std::vector<std::int64_t> sizes;
  std::function<Words(Pram&, const Words&)> run;
  std::function<Words(const Words&)> expected;
  std::function<std::vector<Limit>(std::int64_t n)> limits;
};

/// What the largest run cost.
struct Paid {
  Limit limit;
  std::int64_t cost = 0;
  std::string run;
};

/// What the marks are given for, and the first thing that is wrong with each; empty: nothing.
struct Marks {
  std::string name;
  std::uint64_t seed = 0;
  int runs = 0;
  std::string result = {};
  std::string legality = {};
  std::string cost = {};
  std::vector<Paid> costs = {};

  /// Whether result and legality are right; the cost is marked only then.
  [[nodiscard]] bool right() const { return result.empty() && legality.empty(); }
  [[nodiscard]] int given() const;  ///< 0 to 3
  [[nodiscard]] std::string text() const;
};

/// Runs an answer on all sizes and on hostile inputs; what is wrong is named with line and lane.
[[nodiscard]] Marks mark(const KernelExercise& exercise, std::uint64_t seed);
[[nodiscard]] Marks mark(const PramExercise& exercise, std::uint64_t seed);

[[nodiscard]] report::Report to_report(const Marks& marks);

/// Prints the marks as `format` says, "text", "json" or "csv", and writes a page where one is
/// named. Returns the exit code: 0 where all three are given.
[[nodiscard]] int put(const Marks& marks, const std::string& format, const std::string& page);

/// The same of an answer. Command line: [SEED [FORMAT [PAGE]]].
template <class Exercise>
[[nodiscard]] int grade(const Exercise& exercise, int argc, char** argv) {
  return put(mark(exercise, argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1),
             argc > 2 ? argv[2] : "text", argc > 3 ? argv[3] : "");
}

/// Uploads `input`, makes an array "out" of `size` words that the answer must overwrite, and
/// downloads it after `launch(in, out)`.
template <class Launch>
[[nodiscard]] KernelExercise::Words run_from_to(SimulatedDevice& device,
                                                const KernelExercise::Words& input,
                                                std::int64_t size, Launch launch) {
  using Word = std::uint32_t;
  const auto in = device.allocate<Word>(static_cast<std::int64_t>(input.size()), "in");
  const auto out = device.allocate<Word>(size, "out");
  device.upload<Word>(in, std::span<const Word>(input));
  const KernelExercise::Words nothing(static_cast<std::size_t>(size), 0xdeadbeef);
  device.upload<Word>(out, std::span<const Word>(nothing));
  launch(in, out);
  return device.download(out);
}

/// The same for arrays "in" and "out" of a PRAM; nobody wrote "out".
template <class Solve>
[[nodiscard]] PramExercise::Words run_from_to(Pram& pram, const PramExercise::Words& input,
                                              std::int64_t size, Solve solve) {
  const PramArray in = pram.array(input, "in");
  const PramArray out = pram.array(size, "out");
  solve(pram, in, out);
  return pram.values(out);
}

/// Indices 0..n-1 in the order of the words, equal ones in the order of the indices.
template <class Words>
[[nodiscard]] std::vector<std::int64_t> order_of(const Words& words) {
  std::vector<std::int64_t> order(words.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return words[static_cast<std::size_t>(a)] < words[static_cast<std::size_t>(b)];
  });
  return order;
}

/// A machine of b banks and W·b lanes per task, with M words of shared memory.
[[nodiscard]] AgpuSpec machine(std::int32_t b, std::int32_t warps, std::int64_t shared_words);

/// 1, and numbers just below, at and above b, V, multiples of V and M.
[[nodiscard]] std::vector<std::int64_t> sizes_around(const AgpuSpec& spec);

}  // namespace agpusim::exercise
