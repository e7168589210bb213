#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "agpusim/commands/exercise/grade.hpp"
#include "agpusim/commands/exercise/process.hpp"

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

}  // namespace agpusim
