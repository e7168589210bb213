#pragma once

#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "agpusim/model/agpu/phase_bill.hpp"
#include "agpusim/model/agpu/pricing.hpp"
#include "agpusim/ptx/run/access.hpp"
#include "agpusim/ptx/run/cta.hpp"
#include "agpusim/ptx/run/races.hpp"

namespace agpusim::ptx {

/// The last request of a statement for shared memory: it often comes again, elsewhere.
struct SharedRequest {
  Lanes lanes = 0;
  std::uint32_t bytes = 0;  ///< what each lane accesses
  Touched touched = Touched::read;
  bool is_aligned = false;
  bool is_row = false;        ///< neighbours, lane by lane; between them, lanes may be missing
  std::uint64_t in_word = 0;  ///< byte of a word that the lowest address is
  std::uint64_t span = 0;     ///< bytes, from that to the highest one
  SharedCounts price;
  AccessShape shape;                                          ///< what one of them adds
  alignas(64) std::array<std::uint32_t, warp_lanes> above{};  ///< bytes, from the lowest address
  SharedShadow::Window window;                                ///< known when it has come again

  [[nodiscard]] bool is_like(const SharedRequest& other) const {
    return lanes == other.lanes && bytes == other.bytes && touched == other.touched &&
           span == other.span && in_word == other.in_word && above == other.above;
  }
};

/// What a statement has cost.
struct StatementCost : Counts {
  std::int64_t useful_bytes = 0;  ///< global bytes that lanes of a request ask for, each once
  UnpricedAccesses unpriced;
  AccessShape shape;

  StatementCost& operator+=(const StatementCost& o) {
    Counts::operator+=(o);
    useful_bytes += o.useful_bytes;
    unpriced += o.unpriced;
    shape += o.shape;
    return *this;
  }
};

/// A store whose race is noted and whose values are not in memory yet: other host threads that race
/// with it look here, before they look there.
class StoreAtHand {
 public:
  void publish(const Request& request, Warp& warp, const Instruction& instruction) {
    const std::lock_guard guard(mutex_);
    request_ = &request;
    warp_ = &warp;
    instruction_ = &instruction;
  }
  /// The store has ended.
  void retract() {
    if (request_ == nullptr) return;
    const std::lock_guard guard(mutex_);
    request_ = nullptr;
  }
  /// Calls f(request, warp) where a store by the same instruction is at hand.
  template <class F>
  void look(const Instruction& instruction, F f) {
    const std::lock_guard guard(mutex_);
    if (request_ != nullptr && instruction_ == &instruction) f(*request_, *warp_);
  }

 private:
  std::mutex mutex_;
  const Request* request_ = nullptr;
  Warp* warp_ = nullptr;
  const Instruction* instruction_ = nullptr;
};

/// What one host thread needs to run the CTAs of a launch, and what it has counted.
class Worker {
 public:
  explicit Worker(const LaunchPlan& launch);

  /// How often a block was executed, and by how many lanes in all.
  struct Visits {
    std::int64_t warps = 0;
    std::int64_t lanes = 0;
  };

  /// A finding at an instruction.
  [[nodiscard]] Finding finding(Rule rule, const Warp& warp, const Instruction& instruction,
                                std::uint32_t lane, std::string text) const;
  /// Adds one.
  void find(Rule rule, const Warp& warp, const Instruction& instruction, std::uint32_t lane,
            std::string text);
  /// Whether such a finding was met before, and is counted: then none is to be made.
  [[nodiscard]] bool has_met(Rule rule, const Warp& warp, const Instruction& instruction,
                             std::int64_t times = 1) {
    return findings.met(rule, instruction.statement, warp.cta.index(), times);
  }
  /// A loop goes on at this instruction; true where others should run for a while. Throws Stopped,
  /// with a finding, after Options::most_turns.
  [[nodiscard]] bool take_turn(Warp& warp, const Instruction& instruction);

  /// A request has come again: the statement uses one that is like it, if there is one.
  void share(std::shared_ptr<SharedRequest>& request);
  /// An access to an allocation whose traffic is told apart by `place`.
  void note_traffic(bool reads, std::size_t place, const GlobalCounts& access) {
    (reads ? execution.read_sectors : execution.written_sectors)[place] += access.sectors;
    if (access.sectors != access.blocks || access.sectors < 2) return;
    (reads ? execution.scattered_reads : execution.scattered_writes) += access.sectors;
  }
  /// The bill of a CTA that has ended.
  [[nodiscard]] TaskBill bill_of(const Cta& cta);
  template <class F>
  void each_arithmetic(F f) const;
  /// What it has executed: operations and traffic. Adds turns of special functions.
  [[nodiscard]] Execution whole_execution(std::int64_t& special_turns) const;
  /// Adds what each statement has cost.
  void add_costs(std::vector<StatementCost>& by_statement) const;

  const LaunchPlan& plan;
  TaskSums sums;                  ///< sums over the CTAs that have ended
  Execution execution;            ///< traffic of all CTAs
  std::int64_t samples = 0;       ///< CTAs whose lone time was counted
  std::int64_t sampled_time = 0;  ///< T of these CTAs
  std::int64_t rounds = 0;        ///< waits of the sample for global memory
  std::int64_t passes = 0;        ///< cycles of L1 for reads of the sample
  bool concurrent = false;        ///< other host threads run CTAs of the launch
  PricingRules rules;
  std::vector<Visits> visits;        ///< by block
  std::vector<StatementCost> costs;  ///< by statement: memory accesses and guarded instructions
  std::vector<Allocation*> last;     ///< latest allocation of each statement
  /// The latest of each statement; those that have come again and are alike are one, so that they
  /// stay in the host's cache.
  std::vector<std::shared_ptr<SharedRequest>> shared_requests;
  std::vector<std::shared_ptr<SharedRequest>> known_requests;
  Findings findings;
  Races races;
  StoreAtHand store;
  std::vector<Worker*> others;  ///< host threads that run CTAs of the launch beside this one
  std::int64_t polls = 0;
  std::int64_t turns = 0;                           ///< turns of loops since a CTA ended
  std::chrono::steady_clock::time_point looked_at;  ///< the clock, after a round of a CTA
  std::chrono::steady_clock::time_point tells_at;   ///< what it has found
};

/// What a prediction of a phase needs, of all its CTAs; `sectors`: the sizes of its arrays.
void add_execution(const std::vector<std::unique_ptr<Worker>>& workers,
                   const std::array<std::int64_t, traffic_places>& sectors, PhaseReport& phase);

/// Barriers of a CTA that warps have come to, where each block was executed so often.
[[nodiscard]] std::int64_t barriers_of(const Program& program,
                                       const std::vector<std::int64_t>& visits);

/// The costs of statements by the lines of the source, by descending time.
[[nodiscard]] std::vector<PricedLine> lines_of(const Program& program,
                                               const std::vector<StatementCost>& by_statement,
                                               std::int32_t block_words);

}  // namespace agpusim::ptx
