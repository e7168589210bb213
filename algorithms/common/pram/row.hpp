#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/algorithms/pram_registry.hpp"

namespace agpusim {

/// Every machine: an algorithm that is legal on the EREW PRAM runs on all of them, since a cell
/// that one processor writes receives its value under every rule.
[[nodiscard]] std::vector<PramAccess> machines_of_erew();

/// Every machine but EREW.
[[nodiscard]] std::vector<PramAccess> machines_of_crew();

/// Throws UsageError on a Sum-CRCW PRAM that counts its writers (SumReading::count): a cell would
/// receive the number of writers where the algorithm means the sum of their values.
void refuse_count_reading(const PramRunConfig& config);

/// Throws UsageError when n is so large that the n^2 processors of a step cannot be counted.
void refuse_square_overflow(const PramRunConfig& config);

/// Throws UsageError when the numbers of the input are given one by one: `instead` says what this
/// row takes.
void refuse_given_values(const PramRunConfig& config, const char* instead);

/// Runs an algorithm and checks its output. `input` makes the numbers x, `program(pram, x)` gives
/// the output, where x is an array of them, and `reference(numbers)` is the sequential algorithm.
/// Memory for `cells` cells is asked for before the numbers are made.
template <class Input, class Program, class Reference>
[[nodiscard]] PramRunResult run_pram(const PramRunConfig& config, const PramOptions& options,
                                     std::int64_t cells, Input input, Program program,
                                     Reference reference) {
  PramOptions unseen = options;
  unseen.trace = nullptr;
  static_cast<void>(Pram(config.machine, unseen).array(cells, "x"));
  const std::vector<std::int64_t> numbers = input(config);
  Pram pram(config.machine, options);
  const PramArray x = pram.array(numbers, "x");
  PramRunResult result;
  result.output = program(pram, x);
  result.correct = result.output == reference(numbers);
  result.report = pram.report();
  if (options.record_trace) result.trace = pram.trace();
  return result;
}

/// The same for n numbers.
template <class Input, class Program, class Reference>
[[nodiscard]] PramRunResult run_pram(const PramRunConfig& config, const PramOptions& options,
                                     Input input, Program program, Reference reference) {
  return run_pram(config, options, config.n, input, program, reference);
}

}  // namespace agpusim
