#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "agpusim/validation/exercise/grade.hpp"
#include "agpusim/validation/exercise/process.hpp"

namespace agpusim {

/// Makes programs of answers. What all have in common is compiled once.
class AnswerCompiler {
 public:
  /// Throws Unavailable where there is no compiler, or no headers and libraries of agpusim.
  AnswerCompiler(exercise::Workplace& workplace, exercise::Process::Stop stop);

  /// Compiles the headers once, which pays for more than one answer.
  void precompile();
  /// Makes `program` of the answer in `file`. Empty; or what the compiler says, whose errors come
  /// first where they are the answer's. Several threads may call it.
  [[nodiscard]] std::string compile(const exercise::Exercise& exercise, const std::string& file,
                                    const std::string& program);
  /// The runs that answers are asked for. Throws FileError where the judge that lies in a folder
  /// does not compile, or does not judge.
  [[nodiscard]] exercise::Trials trials(const exercise::Exercise& exercise, std::uint64_t seed);

 private:
  /// Makes a program of C++ text; empty, or what the compiler says.
  std::string make(const std::string& text, const std::string& program);
  /// Runs the compiler; empty, or what it says.
  std::string run(const std::vector<std::string>& arguments, const std::string& log);

  exercise::Workplace& workplace_;
  exercise::Process::Stop stop_;
  std::string compiler_;
  std::string headers_;
  std::string libraries_;
};

/// The first error of the answer in `file`, with its remedy, in at most five lines.
[[nodiscard]] std::vector<std::string> first_error(const std::string& said,
                                                   const std::string& file);

/// The file in `folder` that the first error lies in, or is reached from; empty: none.
[[nodiscard]] std::string file_of_error(const std::string& said, const std::string& folder);

/// A word of an answer that only the simulator has, or that no rule can follow, as the compiler
/// would say it ("file:line:column: error: ..."); empty: none.
[[nodiscard]] std::string forbidden_word(const std::string& text, const std::string& file);

}  // namespace agpusim
