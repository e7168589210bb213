#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agpusim/model/pram/step_log.hpp"
#include "agpusim/model/source_line.hpp"

// Variables of a C++ program that no machine has: what an answer leaves in them for others.
namespace agpusim::exercise {

/// A step whose processors each see the variables of the program, which lie on the stack from
/// `frame` up to the answer's beginning, as they were before the step. One that two of them change
/// is shared memory that the PRAM does not have.
class WatchedStep {
 public:
  WatchedStep(void* frame, std::string_view name, SourceLine where);
  ~WatchedStep();
  WatchedStep(const WatchedStep&) = delete;
  WatchedStep& operator=(const WatchedStep&) = delete;

  /// A processor of the step at hand has run.
  static void end_body(std::int64_t processor);
};

/// While processors run, the PRAM's memory holds other words; theirs come from here.
class HiddenCells {
 public:
  explicit HiddenCells(const detail::PramChunk& chunk);
  ~HiddenCells();
  HiddenCells(const HiddenCells&) = delete;
  HiddenCells& operator=(const HiddenCells&) = delete;

  /// What a processor reads, which the chunk has noted.
  [[nodiscard]] static std::int64_t read(std::int64_t cell);

 private:
  const detail::PramChunk& chunk_;
};

/// A run of an answer, begun on the stack at the object.
class WatchedRun {
 public:
  WatchedRun();
  ~WatchedRun();
  WatchedRun(const WatchedRun&) = delete;
  WatchedRun& operator=(const WatchedRun&) = delete;

  /// What was found, for the marks; empty: nothing. Static variables are looked at here.
  [[nodiscard]] std::string found();
};

}  // namespace agpusim::exercise
