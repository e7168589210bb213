#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "agpusim/model/agpu/counts.hpp"
#include "agpusim/model/source_line.hpp"

namespace agpusim {

struct ActiveIndices;
struct Mask;
struct PhaseReport;

/// One value per lane, of any type of the lanes.
class LaneValues {
 public:
  LaneValues() = default;
  /// `data` outlives this.
  template <class T>
  static LaneValues of(const T* data) {
    return {data,
            std::is_floating_point_v<T> ? Type::floating
            : std::is_signed_v<T>       ? Type::signed_integer
                                        : Type::unsigned_integer,
            sizeof(T)};
  }

  /// Null where there are none.
  [[nodiscard]] const void* data() const { return data_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  /// The value of a lane in decimal; a truth value is 0 or 1.
  [[nodiscard]] std::string text(std::int64_t lane) const;

 private:
  enum class Type : std::uint8_t { signed_integer, unsigned_integer, floating };
  LaneValues(const void* data, Type type, std::size_t bytes)
      : data_(data), type_(type), bytes_(bytes) {}

  const void* data_ = nullptr;
  Type type_ = Type::signed_integer;
  std::size_t bytes_ = 0;
};

enum class InstructionKind : std::uint8_t {
  arithmetic,
  read,
  write,
  atomic,
  control,  ///< when, while_any, uniform: free, but may wait for a global read
  sync,     ///< free
};

/// The array that a read, a write or an atomic operation goes to.
struct AccessedArray {
  bool shared = false;  ///< else global
  std::string_view name;
  std::int64_t size = 0;   ///< elements
  std::int32_t words = 1;  ///< words of an element
  std::int64_t first = 0;  ///< word address of element 0: in shared memory, or 0
  /// Its elements: before the instruction takes effect.
  LaneValues elements;
};

/// One instruction of one task, after it was charged.
struct Instruction {
  InstructionKind kind;
  SourceLine where;
  std::string_view kernel;
  const Mask& mask;
  const Counts& cost;  ///< what it was charged, the waits for its operands included
  LaneValues values;   ///< the result, or what is written or combined; of the active lanes
  const AccessedArray* array = nullptr;    ///< null unless it accesses memory
  const ActiveIndices* indices = nullptr;  ///< indices of elements, relative to `origin`
  std::int64_t origin = 0;
};

/// Watches a run of the abstract machine, phase by phase, task by task, on one host thread
/// (SimulationOptions::observer). A run without one pays for a test per
/// instruction.
class Observer {
 public:
  virtual ~Observer() = default;

  virtual void begin_phase(std::string_view /*kernel*/, std::int64_t /*tasks*/) {}
  virtual void begin_task(std::int64_t /*task*/) {}
  virtual void instruction(const Instruction& instruction) = 0;
  /// The last instruction made `lanes`, `bytes` each, of memory or of other lanes: what an observer
  /// leaves there is the result.
  virtual void result(void* /*lanes*/, std::size_t /*bytes*/, const Mask& /*mask*/) {}
  /// The next instruction, or the last one, breaks a rule of the machine.
  virtual void violation(const SourceLine& /*where*/, const std::string& /*message*/) {}
  /// `multiprocessors` are those that the tasks ran on, task by task.
  virtual void end_phase(const PhaseReport& /*phase*/,
                         std::span<const std::int64_t> /*multiprocessors*/) {}
};

}  // namespace agpusim
