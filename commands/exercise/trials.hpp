#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "agpusim/commands/exercise/case.hpp"
#include "agpusim/model/agpu/report.hpp"
#include "agpusim/model/pram/report.hpp"

// The half of an exercise that knows what is right: the runs that answers are asked for. It is
// never part of an answer's program.
namespace agpusim::exercise {

/// What an answer may cost.
struct Limit {
  std::string cost;  ///< as REQUIRE_COST names it; of a PRAM steps, processors or work
  std::int64_t bound = 0;
  std::string chosen = "the exercise's bound";  ///< how the bound was
  std::int64_t paid = 0;  ///< by the own solution in this run, the best that is known
};

/// Asks a program for the reply to a request; throws Stopped where there is none.
using Ask = std::function<std::string(const std::string& request)>;

/// An exercise for a kernel on arrays of 32-bit words.
struct KernelExercise {
  using Words = std::vector<std::uint32_t>;
  std::vector<AgpuSpec> machines;
  std::function<std::vector<std::int64_t>(const AgpuSpec&)> sizes;  ///< sizes of the input
  /// One more machine, of a number drawn from the seed; none: none is drawn.
  std::function<AgpuSpec(std::uint64_t drawn)> draws_machine;
  /// Sizes drawn from the seed are multiples of this; none: none are drawn.
  std::function<std::int64_t(const AgpuSpec&)> unit;
  std::function<Words(Words)> input;  ///< input made from drawn words; none: these words
  std::function<std::int64_t(const AgpuSpec&, std::int64_t n)> out;  ///< words of the output
  std::function<Words(const AgpuSpec&, const Words&)> expected;
  /// Beside T and Q, which are marked in every exercise.
  std::function<std::vector<Limit>(const AgpuSpec&, std::int64_t n)> limits;
  /// What the host half of an answer in CUDA launches; none: answers are kernels of the vocabulary.
  std::function<std::vector<CudaLaunch>(const AgpuSpec&, std::int64_t n)> launches;
  std::function<std::int64_t(const AgpuSpec&, std::int64_t n)> scratch;  ///< words; none: no array
  bool out_is_zeroed = false;
};

/// An exercise for a step program of a PRAM.
struct PramExercise {
  using Words = std::vector<std::int64_t>;
  PramSpec machine;
  std::vector<std::int64_t> sizes;
  /// Makes a legal size from a number drawn from the seed; none: all are legal.
  std::function<std::int64_t(std::int64_t drawn)> size;
  std::function<Words(Words)> input;  ///< input made from drawn words; none: these words
  std::function<std::int64_t(std::int64_t n)> out;
  std::function<Words(const Words&)> expected;
  /// Beside steps and work.
  std::function<std::vector<Limit>(std::int64_t n)> limits;
};

/// A run that every answer is asked for, and what it must come to.
template <class Case>
struct Trial {
  Case asked;  ///< without a nonce
  decltype(Case::in) expected;
  std::vector<Limit> limits;
  std::string what;  ///< size, kind of input and machine
  bool is_largest = false;
};
using Trials = std::variant<std::vector<Trial<KernelCase>>, std::vector<Trial<PramCase>>>;

/// All sizes on hostile inputs, some drawn from the seed, each run once by the exercise's own
/// solution. Throws Broken where the judge or that solution is no good.
[[nodiscard]] Trials draw_trials(const KernelExercise& judge, const Ask& solution,
                                 std::uint64_t seed);
[[nodiscard]] Trials draw_trials(const PramExercise& judge, const Ask& solution,
                                 std::uint64_t seed);

/// Main part of a judge that is compiled apart: replies with its trials to a seed.
[[nodiscard]] std::string reply_with(const std::function<Trials(std::uint64_t seed)>& draw,
                                     const std::string& request);
/// Asks such a program; throws Broken with its reason where it has none to give.
[[nodiscard]] Trials ask_for_trials(const Ask& program, std::uint64_t seed);

/// As REQUIRE_COST names it; of a PRAM steps, processors or work.
[[nodiscard]] std::int64_t cost_of(const RunReport& report, const std::string& name);
[[nodiscard]] std::int64_t cost_of(const PramReport& report, const std::string& name);

/// Indices 0..n-1 in the order of the words, equal ones in the order of the indices.
[[nodiscard]] std::vector<std::int64_t> order_of(const std::vector<std::int64_t>& words);

/// What most exercises in CUDA have: CTAs of so many warps, any n, a word of output for each of
/// input. The rest is `expected`, `launches` and `limits`.
[[nodiscard]] KernelExercise cuda_exercise(std::int32_t warps = 8);
/// The largest divisor of n up to its root: a side of the matrix of n words that is nearly square.
[[nodiscard]] std::int64_t short_side(std::int64_t n);
/// Columns of such a matrix, which is wider than high, or where n % 4 = 1 the reverse.
[[nodiscard]] std::int64_t columns_of(std::int64_t n);

/// A machine of b banks and W·b lanes per task, with M words of shared memory.
[[nodiscard]] AgpuSpec machine(std::int32_t b, std::int32_t warps, std::int64_t shared_words);

/// 1, and numbers just below, at and above b, V, multiples of V and M.
[[nodiscard]] std::vector<std::int64_t> sizes_around(const AgpuSpec& spec);

}  // namespace agpusim::exercise
