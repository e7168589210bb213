#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "agpusim/model/agpu/device.hpp"
#include "agpusim/model/loop.hpp"
#include "agpusim/model/pram/machine.hpp"

// What the program of an exercise (exercises/<name>/grade.cpp) is made of. `agpusim exercise grade`
// compiles it with the file that is graded and runs it.
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

/// Runs an answer on all sizes and on hostile inputs, prints marks for result, legality and cost,
/// with line and lane of what is wrong, and returns the exit code: 0 where all three are given.
[[nodiscard]] int grade(const KernelExercise& exercise, std::uint64_t seed);
[[nodiscard]] int grade(const PramExercise& exercise, std::uint64_t seed);

/// The seed on the command line, 1 without one.
[[nodiscard]] std::uint64_t seed_of(int argc, char** argv);

/// A machine of b banks and W·b lanes per task, with M words of shared memory.
[[nodiscard]] AgpuSpec machine(std::int32_t b, std::int32_t warps, std::int64_t shared_words);

/// 1, and numbers just below, at and above b, V, multiples of V and M.
[[nodiscard]] std::vector<std::int64_t> sizes_around(const AgpuSpec& spec);

}  // namespace agpusim::exercise
