#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "agpusim/model/agpu/observer.hpp"
#include "agpusim/model/agpu/report.hpp"
#include "agpusim/model/source_line.hpp"

namespace agpusim {

/// A line of a program.
struct SourcePlace {
  std::string file;
  std::uint32_t line = 0;
};

/// An array that the recorded instructions access.
struct TracedArray {
  std::string name;
  bool shared = false;
  std::int32_t words = 1;            ///< words of an element
  std::int64_t first = 0;            ///< word address of element 0: in shared memory, or 0
  std::int64_t size = 0;             ///< elements
  std::vector<std::string> initial;  ///< content of a small global array before recorded accesses
};

/// One instruction of a recorded run.
struct TracedInstruction {
  InstructionKind kind = InstructionKind::arithmetic;
  std::int32_t place = 0;  ///< index into StepTrace::places
  std::int32_t phase = 0;
  std::int64_t task = 0;
  std::string mask;                    ///< a digit 0 or 1 per lane
  std::int32_t array = -1;             ///< index into StepTrace::arrays; -1: no access
  std::vector<std::int64_t> elements;  ///< indices in the array, one per active lane
  std::string values;                  ///< one word per active lane; empty: none
  std::string after;                   ///< new values of the elements of an atomic operation
  Counts cost;
};

struct TracedPhase {
  std::string kernel;
  std::int64_t tasks = 0;
  std::int64_t time = 0;                           ///< T of the phase; 0 where it did not end
  std::vector<std::int64_t> multiprocessors = {};  ///< one for each task; empty where unfinished
};

/// A recorded run of the abstract machine, task by task.
struct StepTrace {
  AgpuSpec spec;
  std::vector<SourcePlace> places;
  std::vector<TracedArray> arrays;
  std::vector<TracedPhase> phases;
  std::vector<TracedInstruction> instructions;
  std::int64_t seen = 0;  ///< instructions of the run, recorded or not
  std::string violation;  ///< the broken rule that ended the run
  std::int32_t violation_place = -1;
};

/// What to record.
struct TraceLimits {
  std::int64_t instructions = 100'000;  ///< at most
  bool accesses_only = false;           ///< no arithmetic
  std::optional<std::int64_t> phase = {};
  std::optional<std::int64_t> task = {};
};

/// Records what happens in a run, up to its limits.
class StepRecorder : public Observer {
 public:
  StepRecorder(const AgpuSpec& spec, TraceLimits limits);

  void begin_phase(std::string_view kernel, std::int64_t tasks) override;
  void begin_task(std::int64_t task) override;
  void instruction(const Instruction& instruction) override;
  void violation(const SourceLine& where, const std::string& message) override;
  void end_phase(const PhaseReport& phase, std::span<const std::int64_t> multiprocessors) override;

  [[nodiscard]] const StepTrace& trace() const { return trace_; }

 private:
  [[nodiscard]] bool wanted(const Instruction& instruction) const;
  std::int32_t place_of(const SourceLine& where);
  std::int32_t array_of(const AccessedArray& array);
  /// An atomic operation has taken effect by the next thing that happens.
  void finish_atomic();

  TraceLimits limits_;
  StepTrace trace_;
  std::int64_t task_ = 0;
  std::map<std::pair<std::string, std::uint32_t>, std::int32_t> places_;
  std::map<std::tuple<const void*, std::string, std::int64_t, std::int64_t>, std::int32_t> arrays_;
  bool atomic_ = false;      // the last recorded instruction is one whose result is to come
  LaneValues atomic_cells_;  // the array of it
};

}  // namespace agpusim
