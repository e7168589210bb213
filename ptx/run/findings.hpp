#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agpusim/ptx/text/locations.hpp"

namespace agpusim::ptx {

class Program;

/// What a kernel may do wrong.
enum class Rule : std::uint8_t {
  out_of_bounds,      ///< an address that belongs to no variable, or to none of this window
  freed,              ///< an address in memory that was released
  misaligned,         ///< an address that is no multiple of the access's bytes
  read_only,          ///< a write to constant memory or a parameter
  unwritten_shared,   ///< a read of shared memory that this CTA has not written
  unwritten_global,   ///< a read of global memory that nobody has written
  shared_race,        ///< two threads of a CTA, one of which writes, in no order
  global_race,        ///< two threads of a launch, one of which writes, in no order
  write_conflict,     ///< lanes of one instruction store different values at one address
  divergent_barrier,  ///< a barrier that some lanes of a warp do not reach, or at different places
  wrong_mask,         ///< a collective without its own lane, or whose lanes stand elsewhere
  missing_wait,       ///< a use of what cp.async copies before it was waited for
  mbarrier,           ///< an operation that an mbarrier of this state does not allow
  deadlock,           ///< no warp can go on, or no CTA ends
  assertion,          ///< __assertfail
  trap,               ///< the kernel stops itself
  absent_lane,        ///< a use of what a shuffle takes from a lane that takes no part in it
  ended_lanes,        ///< a collective whose mask names lanes that have ended
  equal_values,       ///< a race in which all threads store the same value
  swap_read,          ///< a race of the plain read that begins a loop of compare and swap
  parted_barrier,     ///< warps of a CTA that come to one __syncthreads() at two places
  barrier_count,      ///< a barrier of a number of threads that is no multiple of 32
  host_access,        ///< the program's host half uses memory of the device without a call
  missing_synchronize,  ///< the host half uses memory that work in flight writes, or the reverse
  unordered_streams,    ///< works of two streams, one of which writes, with no order between them
};
/// The rule that a text of `to_string` names, if any does.
[[nodiscard]] std::optional<Rule> rule_of(std::string_view name);
/// "out of bounds"
[[nodiscard]] std::string_view to_string(Rule rule);

/// One defect of a kernel, at one instruction, with the first that met it.
struct Finding {
  Rule rule = Rule::out_of_bounds;
  std::uint32_t statement = 0;  ///< index in Program::sources
  CalledLine where;
  std::string opcode;  ///< "ld.global.u32"
  std::uint64_t cta = 0;
  std::uint32_t warp = 0;
  std::uint32_t lane = 0;
  std::int64_t times = 0;  ///< lanes or warp instructions that met it
  std::string array;       ///< array that was accessed, or ""
  std::string text;        ///< what happened: the address, the variable, the other lane
  std::string remedy;      ///< what to do

  friend bool operator==(const Finding&, const Finding&) = default;
  /// "helper.hpp:5 (called at main.cu:3)"
  [[nodiscard]] std::string place() const { return to_string(where); }
  /// Whether no kernel has met it.
  [[nodiscard]] bool is_of_host() const { return opcode.empty(); }
  /// "out of bounds at reduce.cu:12 (ld.global.u32), CTA 3, warp 1, lane 5: ..."
  [[nodiscard]] std::string message() const;
};

/// What to do about a defect. `in_branch`: not all threads of the launch execute the instruction.
[[nodiscard]] std::string_view remedy_of(Rule rule, bool in_branch);

/// Whether a kernel goes on after such a defect.
[[nodiscard]] bool goes_on(Rule rule);
/// Whether it is legal, and probably not meant: no defect.
[[nodiscard]] bool is_note(Rule rule);

/// The findings of one host thread, or of a launch: one for each rule and instruction.
class Findings {
 public:
  void add(Finding finding);
  /// Whether the rule and instruction were met before by a CTA that is no later: they are counted
  /// `times` times more, and need no other text.
  [[nodiscard]] bool met(Rule rule, std::uint32_t statement, std::int64_t cta, std::int64_t times);
  /// Keeps, of each rule and instruction, the finding of the lowest CTA, with the sum of the times.
  void merge(const Findings& other);
  /// Races become what is said of their statements.
  void settle(const std::function<std::optional<Rule>(std::uint32_t)>& rule_of_race);
  [[nodiscard]] bool empty() const { return findings_.empty(); }
  /// By CTA and line, with places and remedies; those of an array at one place, as unrolled loops
  /// have them, are one. `in_branch`: whether some threads do not execute a statement.
  [[nodiscard]] std::vector<Finding> told(
      const Program& program, const std::function<bool(std::uint32_t)>& in_branch) const;

 private:
  std::vector<Finding> findings_;
  std::map<std::pair<Rule, std::uint32_t>, std::size_t> at_;  // by rule and statement, as added
};

}  // namespace agpusim::ptx
