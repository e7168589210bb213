#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "agpusim/commands/exercise/grade.hpp"
#include "agpusim/commands/exercise/process.hpp"

namespace agpusim {

/// Makes programs of answers. What all have in common is compiled once.
class AnswerCompiler {
 public:
  AnswerCompiler(exercise::Workplace& workplace, exercise::Process::Stop stop)
      : workplace_(workplace), stop_(std::move(stop)) {}

  /// Compiles the headers of answers in C++ once, which pays for more than one answer. This and
  /// what follows throws Unavailable where there is no compiler, or no headers and libraries of
  /// agpusim.
  void precompile();
  /// Makes `program` of the answer in `file`, in CUDA its kernels in PTX. Empty; or what the
  /// compiler says, whose errors come first where they are the answer's. Several threads may call
  /// it.
  [[nodiscard]] std::string compile(const exercise::Exercise& exercise, const std::string& file,
                                    const std::string& program);
  /// The runs that answers are asked for. Throws FileError where the judge that lies in a folder
  /// does not compile, or does not judge.
  [[nodiscard]] exercise::Trials trials(const exercise::Exercise& exercise, std::uint64_t seed);

 private:
  /// Finds what answers in C++ are compiled with.
  void prepare();
  /// Makes a program of C++ text; empty, or what the compiler says.
  std::string make(const std::string& text, const std::string& program);
  std::string make_ptx(const std::string& file, const std::string& ptx);
  /// Runs the compiler of C++; empty, or what it says.
  std::string run_cpp(const std::vector<std::string>& arguments, const std::string& log);
  std::string run(const std::vector<std::string>& command, const std::string& log);

  exercise::Workplace& workplace_;
  exercise::Process::Stop stop_;
  std::once_flag prepared_;
  std::string compiler_;
  std::string headers_;
  std::string libraries_;
};

/// What runs an answer's kernels for a judge: this program (exercise_cuda.hpp).
[[nodiscard]] std::vector<std::string> engine_of(const std::string& agpusim,
                                                 const std::string& ptx);

}  // namespace agpusim
