#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "agpusim/commands/exercise/trials.hpp"

namespace agpusim::report {
struct Report;
}

// Marks for what an answer did.
namespace agpusim::exercise {

struct Stopped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using NamedText = std::pair<std::string, std::string>;

struct Exercise {
  std::string name = {};
  Ask solution = {};  ///< the costs of which are the best known ones
  std::function<Trials(const Ask& solution, std::uint64_t seed)> trials = {};
  std::string start = {};   ///< the file with the gap
  std::string launch = {};  ///< what starts an answer, in C++; empty for a PRAM
  /// Values that the answer to a question, a text of lines "name = value", must give each name.
  std::vector<NamedText> values = {};
  std::string cuda_solution = {};  ///< text of the solution, where answers are in CUDA
  /// Where a teacher's exercise lies: its judge and its solution are compiled when they are needed.
  std::filesystem::path folder = {};

  /// What the files of its answers end in.
  [[nodiscard]] const char* ending() const {
    return !values.empty() ? ".txt" : cuda_solution.empty() ? ".hpp" : ".cu";
  }
};

/// An exercise in CUDA brings no `solution`: it is compiled with the answers.
template <class Judge>
[[nodiscard]] Exercise bundled_exercise(const std::string& name, const Judge& judge,
                                        const Ask& solution = {}) {
  const auto trials = [=](const Ask& by, std::uint64_t seed) {
    return draw_trials(judge, by, seed);
  };
  return {.name = name, .solution = solution, .trials = trials};
}

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

/// Runs an answer on all trials; what is wrong is named with line and lane.
[[nodiscard]] Marks mark(const std::string& name, std::uint64_t seed, const Trials& trials,
                         const Ask& ask);

/// Marks the answer to a question.
[[nodiscard]] Marks mark_values(const Exercise& exercise, std::uint64_t seed,
                                const std::string& answer);
/// The lines "name = value" of a text, without what follows '#'. Throws Broken that names another.
[[nodiscard]] std::vector<NamedText> read_values(const std::string& text);

[[nodiscard]] report::Report to_report(const Marks& marks);

}  // namespace agpusim::exercise
