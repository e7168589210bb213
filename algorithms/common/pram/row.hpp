#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/algorithms/common/given_values.hpp"
#include "agpusim/algorithms/common/pram/numbers.hpp"
#include "agpusim/model/pram/run.hpp"
#include "agpusim/model/run/algorithm.hpp"

namespace agpusim {

/// Every machine: an algorithm that is legal on the EREW PRAM runs on all of them, since a cell
/// that one processor writes receives its value under every rule.
[[nodiscard]] std::vector<PramAccess> machines_of_erew();

/// Every machine but EREW.
[[nodiscard]] std::vector<PramAccess> machines_of_crew();

/// Throws UsageError on a Sum-CRCW PRAM that counts its writers (SumReading::count): a cell would
/// receive the number of writers where the algorithm means the sum of their values.
void refuse_count_reading(const RunConfig& config);

/// Throws UsageError when n is so large that the n^2 processors of a step cannot be counted.
void refuse_square_overflow(const RunConfig& config);

/// Throws UsageError when the numbers of the input are given one by one: `instead` says what this
/// row takes.
void refuse_given_values(const RunConfig& config, const char* instead);

/// Runs an algorithm and checks its output. `input` makes the numbers x, `program(pram, x)` gives
/// the output, where x is an array of them, and `reference(numbers)` is the sequential algorithm.
/// Memory for `cells` cells is asked for before the numbers are made.
template <class Input, class Program, class Reference>
[[nodiscard]] PramRunResult run_pram(const RunConfig& config, const PramOptions& options,
                                     std::int64_t cells, Input input, Program program,
                                     Reference reference) {
  PramOptions unseen = options;
  unseen.trace = nullptr;
  static_cast<void>(Pram(*config.pram, unseen).array(cells, "x"));
  const std::vector<std::int64_t> numbers = input(config);
  Pram pram(*config.pram, options);
  const PramArray x = pram.array(numbers, "x");
  PramRunResult result;
  result.output = program(pram, x);
  const std::vector<std::int64_t> expected = reference(numbers);
  result.correct = result.output == expected;
  if (!result.correct) {
    result.differences = differences(output_of(result.output), output_of(expected));
  }
  result.report = pram.report();
  if (options.record_trace) result.trace = pram.trace();
  return result;
}

/// Runs an algorithm and checks its output, with n for `cells`.
template <class Input, class Program, class Reference>
[[nodiscard]] PramRunResult run_pram(const RunConfig& config, const PramOptions& options,
                                     Input input, Program program, Reference reference) {
  return run_pram(config, options, config.n, input, program, reference);
}

/// The kinds of input of a side, and what makes the numbers of a run.
struct PramInput {
  std::vector<std::string> kinds;
  std::vector<std::int64_t> (*make)(const RunConfig&);
};

/// The inputs, check, run and closed form of a side on n numbers: `program(config, pram, x)` gives
/// the output, `reference(config, numbers)` or `reference(numbers)` is the sequential algorithm.
template <class Program, class Reference>
[[nodiscard]] PramSide side_on_numbers(const PramInput& input, Program program, Reference reference,
                                       PramForm (*closed_form)(const RunConfig&)) {
  PramSide side;
  side.inputs = input.kinds;
  side.check = [make = input.make](const RunConfig& config) {
    refuse_count_reading(config);
    if (is_given(config.input)) static_cast<void>(make(config));
  };
  side.run = [make = input.make, program, reference](const RunConfig& config,
                                                     const PramOptions& options) {
    return run_pram(
        config, options, make,
        [&](Pram& pram, const PramArray& x) { return program(config, pram, x); },
        [&](const std::vector<std::int64_t>& numbers) {
          if constexpr (requires { reference(config, numbers); }) {
            return reference(config, numbers);
          } else {
            return reference(numbers);
          }
        });
  };
  side.closed_form = closed_form;
  return side;
}

}  // namespace agpusim
