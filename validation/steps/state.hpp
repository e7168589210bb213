#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agpusim/validation/steps/report.hpp"

namespace agpusim {

/// An element of an array, and who accesses it in the step.
struct StepCell {
  enum class Access : std::uint8_t { none, read, write, crowded };
  std::string value;
  std::string who = {};
  Access access = Access::none;  ///< crowded: several words of its bank, or writers of its cell
};

/// Words of an array: in global memory a row is a block, in shared memory a column a bank.
struct StepArray {
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<StepCell>> rows;  ///< the first cell: the number of the row
};

/// What a step did, and the memory after it.
struct StepState {
  struct Remark {
    std::string text;
    bool bad = false;  ///< it costs more than it must
  };
  std::vector<Remark> remarks;
  std::vector<StepArray> arrays;
};

/// Steps of a PRAM count from 1.
[[nodiscard]] StepState state_after(const SteppedRun& run, std::int64_t step);

namespace detail {

/// "read tile"
[[nodiscard]] std::string instruction_text(const StepTrace& trace, const TracedInstruction& now);
/// "4 T, 3 CONFLICTS"
[[nodiscard]] std::string cost_text(const StepTrace& trace, const TracedInstruction& now);

/// The first lane that takes part: of the first warp with a bank conflict, where one has.
[[nodiscard]] std::int32_t lane_of_interest(const StepTrace& trace, const TracedInstruction& now);

/// Makes `memory` what it is after the step; says of each cell with several writers what it
/// receives. `effective`: its writes that take effect.
[[nodiscard]] std::vector<std::string> apply_step(const PramTrace& trace, const PramStepTrace& step,
                                                  const std::vector<PramAccessRecord>& effective,
                                                  std::vector<std::int64_t>& memory);
/// "x[3]"
[[nodiscard]] std::string cell_name(const PramTrace& trace, std::int64_t cell);

}  // namespace detail
}  // namespace agpusim
