#pragma once

#include <cstdint>
#include <string>

#include "agpusim/cli/report_output.hpp"

namespace agpusim {

enum class ExerciseKind : std::uint8_t { kernel, pram, cuda };

/// Writes a folder with such an exercise, to be changed into one's own.
void run_new_exercise(const std::string& name, ExerciseKind kind);

struct CheckRequest {
  std::string folder;
  std::uint64_t seed = 1;
  ReportOutput output;
};

/// Marks the solution, the file with the gap and the wrong answers of an exercise; throws Mismatch
/// where one does not get what it must.
void run_check(const CheckRequest& request);

}  // namespace agpusim
