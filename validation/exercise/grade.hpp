#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "agpusim/model/agpu/spec.hpp"
#include "agpusim/model/pram/spec.hpp"

namespace agpusim::report {
struct Report;
}

// The half of an exercise that judges: it is never part of an answer's program.
namespace agpusim::exercise {

/// What an answer may cost. `bound` must be met; `best` is the best that is known.
struct Limit {
  std::string cost;  ///< as REQUIRE_COST names it; of a PRAM steps, processors or work
  std::int64_t bound = 0;
  std::int64_t best = 0;
  std::string chosen = "the exercise's bound";  ///< how the bound was
};

/// Asks an answer for the reply to a request; throws Stopped where there is none.
using Ask = std::function<std::string(const std::string& request)>;
struct Stopped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An exercise for a kernel on arrays of 32-bit words.
struct KernelExercise {
  using Words = std::vector<std::uint32_t>;
  std::vector<AgpuSpec> machines;
  std::function<std::vector<std::int64_t>(const AgpuSpec&)> sizes;  ///< of the input
  /// Sizes drawn from the seed are multiples of this; 0: none are drawn.
  std::function<std::int64_t(const AgpuSpec&)> unit;
  std::function<std::int64_t(const AgpuSpec&, std::int64_t n)> out;  ///< words of the output
  std::function<Words(const AgpuSpec&, const Words&)> expected;
  /// Beside T and Q, which are marked in every exercise.
  std::function<std::vector<Limit>(const AgpuSpec&, std::int64_t n)> limits;
};

/// An exercise for a step program of a PRAM.
struct PramExercise {
  using Words = std::vector<std::int64_t>;
  PramSpec machine;
  std::vector<std::int64_t> sizes;
  bool draws_sizes = true;
  std::function<Words(Words)> input;  ///< of drawn words; none: these
  std::function<std::int64_t(std::int64_t n)> out;
  std::function<Words(const Words&)> expected;
  /// Beside steps and work.
  std::function<std::vector<Limit>(std::int64_t n)> limits;
};

struct Exercise {
  std::string name;
  std::variant<KernelExercise, PramExercise> judge;
  Ask solution;        ///< the costs of which are the best known ones
  std::string start;   ///< the file with the gap
  std::string launch;  ///< what starts an answer, in C++; empty for a PRAM
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
  std::string sandbox = {};   ///< what the answer ran in
  std::string compiler = {};  ///< all that it said, of an answer that does not compile
  int ended = 0;              ///< runs that came to their end
  bool wrote = false;         ///< whether a run wrote an element of out
  std::string fewer = {};     ///< a cost that is too low to be true
  std::string outside = {};   ///< what was done where no machine bills it

  /// Whether result and legality are right; the cost is marked only then.
  [[nodiscard]] bool right() const { return result.empty() && legality.empty(); }
  [[nodiscard]] int given() const;  ///< 0 to 3
  [[nodiscard]] std::string text() const;
  /// The first thing that is wrong; empty: nothing.
  [[nodiscard]] std::string first_wrong() const;
};

/// Runs an answer on all sizes and on hostile inputs; what is wrong is named with line and lane.
[[nodiscard]] Marks mark(const Exercise& exercise, std::uint64_t seed, const Ask& ask);

[[nodiscard]] report::Report to_report(const Marks& marks);

/// Indices 0..n-1 in the order of the words, equal ones in the order of the indices.
[[nodiscard]] std::vector<std::int64_t> order_of(const std::vector<std::int64_t>& words);

/// A machine of b banks and W·b lanes per task, with M words of shared memory.
[[nodiscard]] AgpuSpec machine(std::int32_t b, std::int32_t warps, std::int64_t shared_words);

/// 1, and numbers just below, at and above b, V, multiples of V and M.
[[nodiscard]] std::vector<std::int64_t> sizes_around(const AgpuSpec& spec);

}  // namespace agpusim::exercise
