#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "agpusim/model/agpu/counts.hpp"
#include "agpusim/ptx/run/chain.hpp"
#include "agpusim/ptx/run/global_shadow.hpp"
#include "agpusim/ptx/run/launch.hpp"
#include "agpusim/ptx/run/order.hpp"
#include "agpusim/ptx/run/shared_shadow.hpp"
#include "agpusim/ptx/run/warp.hpp"

namespace agpusim::ptx {

class Worker;

/// Thrown where a kernel cannot go on; its finding is known.
struct Stopped {};

/// What a barrier does with the predicates of those who come.
enum class Reduction : std::uint8_t { none, popc, all, any };

/// How a warp comes to a barrier.
struct BarrierCall {
  static constexpr std::uint32_t of_cluster = ~std::uint32_t{0};
  std::uint32_t barrier = 0;
  std::uint32_t threads = 0;  ///< expected, 0 for all
  bool waits = true;          ///< false for bar.arrive
  Reduction reduction = Reduction::none;
  Lanes predicate = 0;
  Place result = no_place;
};

/// A barrier that 64 bits of shared memory stand for (PTX ISA, 9.7.13.15). A phase ends when all
/// its arrivals have come and as many bytes have been copied as were announced.
struct Mbarrier {
  static constexpr std::int64_t most = (1 << 20) - 1;  ///< arrivals, and bytes of either sign

  std::uint32_t expected = 0;                  ///< arrivals of each phase
  std::uint32_t pending = expected;            ///< arrivals that this phase still waits for
  std::int64_t bytes = 0;                      ///< announced, and not copied yet
  std::uint32_t phase = 0;                     ///< number of phases that have ended
  Gathering arrived{};                         ///< what came before the arrivals
  Gathering ended{};                           ///< what came before the end of the last phase
  std::vector<SharedShadow::Copy> copying{};   ///< copies that this phase waits for
  std::vector<SharedShadow::Copy> to_learn{};  ///< ended copies that no lane knows yet

  /// What an arrival returns: the phase, and the pending arrivals before it.
  [[nodiscard]] std::uint64_t state() const { return std::uint64_t{phase} << 32 | pending; }
  /// Ends the phase where nothing is missing.
  void end_phase() {
    if (pending != 0 || bytes != 0) return;
    ++phase;
    pending = expected;
    ended = arrived;
    to_learn.insert(to_learn.end(), copying.begin(), copying.end());
    copying.clear();
  }
};

/// A value that nobody has written to shared memory, or only beside it to global memory, or that
/// comes from a lane which takes no part in a shuffle: a defect where it is used.
struct DoubtfulValue {
  Finding finding;
  bool used = false;
  bool settled = false;          ///< no write can make it a race any more
  bool is_of_statement = false;  ///< all lanes share it that met it there: each use counts
  /// Whether it lies beside written bytes.
  [[nodiscard]] bool is_padding() const {
    return is_of_statement && finding.rule != Rule::absent_lane;
  }
};

/// One CTA that runs: its warps, its shared memory, and what it has cost.
class Cta {
 public:
  Cta(Worker& worker, const LaunchPlan& plan);

  /// The CTA `index` of the grid begins.
  void begin(std::int64_t index);
  /// Lets each warp run until it waits. Throws Stopped.
  void run_round();
  /// Whether some warp went on in the last round that does not merely poll.
  [[nodiscard]] bool has_moved() const { return moved_; }
  /// Whether one of them has run for long.
  [[nodiscard]] bool had_share() const { return had_share_; }
  [[nodiscard]] bool ended() const { return ended_ == all_warps(); }
  /// No warp of any CTA goes on: finds what each warp of this one waits for. Throws Stopped.
  [[noreturn]] void find_deadlock();
  /// A loop has no end, as Options::loop_seconds has it. Throws Stopped.
  void find_endless_loop();

  // What instructions do.
  /// A warp comes to a barrier. Throws Stopped where others come there for another number.
  void arrive(Warp& warp, const Instruction& instruction, const BarrierCall& call);
  /// A lane reads what nobody has written: a race where another writes it before the next barrier
  /// of the CTA, and else a defect if it uses the value.
  void find_unwritten(std::uint32_t element, Warp& warp, const Instruction& instruction,
                      Finding finding);
  void use_doubtful(DoubtfulValue& value);
  /// A lane takes a value from `from`, which takes no part in the shuffle: a defect if it uses it.
  void find_absent(Warp& warp, const Instruction& instruction, std::uint32_t lane,
                   std::uint32_t from, Lanes mask);
  /// What lanes share whose values this instruction makes doubtful, for good; null at first.
  [[nodiscard]] std::shared_ptr<DoubtfulValue>& doubt_at(const Instruction& instruction) {
    return doubts_[instruction.statement];
  }
  void resolve_unwritten(std::uint32_t element);
  /// Who used global memory: of all CTAs where they may be in order, else of this one.
  [[nodiscard]] GlobalShadow& global();
  /// A warp accesses memory: the shadows forget what its order has forgotten.
  void touch(const Warp& warp) {
    order.touch(warp.number);
    if (order.epoch() != epoch_) forget();
  }
  /// cp.async of a lane to bytes of shared memory, or cp.async.bulk from there (`reads`). The two
  /// have groups of their own.
  void begin_copy(const Warp& warp, std::uint32_t lane, std::uint64_t offset, std::size_t bytes,
                  bool reads);
  /// The copies of the active lanes since the last commit become a group.
  void commit_copies(const Warp& warp, bool reads);
  /// The active lanes wait until at most so many of their groups have not ended.
  void wait_copies(const Warp& warp, std::size_t groups, bool reads);
  /// The cp.async of a lane belong to what a phase of the mbarrier waits for.
  void track_copies(const Warp& warp, std::uint32_t lane, Mbarrier& mbarrier) const;
  /// Copies for which a phase of the mbarrier has waited have ended with it.
  void end_copies(Mbarrier& mbarrier);
  /// The elements of these bytes of shared memory.
  [[nodiscard]] SharedShadow::Copy elements(const Warp& warp, std::uint64_t offset,
                                            std::size_t bytes, bool reads) const;
  /// The lanes of a warp that the CTA has.
  [[nodiscard]] Lanes lanes_of(const Warp& warp) const {
    const std::uint32_t threads = plan.threads - warp.number * warp_lanes;
    return threads >= warp_lanes ? all_lanes : (Lanes{1} << threads) - 1;
  }
  /// What a lane keeps while a function that it is in is called again.
  struct Call {
    const Recursion* of;
    std::vector<std::byte> kept;  ///< registers, then the parameters of calls
  };
  [[nodiscard]] std::vector<Call>& calls(const Warp& warp, std::uint32_t lane) {
    calls_.resize(std::size_t{plan.warps} * warp_lanes);
    return calls_[warp.number * warp_lanes + lane];
  }
  /// The local memory of a lane, and the parameters of calls behind it.
  [[nodiscard]] std::byte* local(const Warp& warp, std::uint32_t lane) {
    return local_.data() + std::size_t{warp.number * warp_lanes + lane} * local_bytes_;
  }

  [[nodiscard]] std::size_t local_bytes() const { return local_bytes_; }

  [[nodiscard]] const Program& program() const { return plan.program; }
  [[nodiscard]] std::int64_t index() const { return index_; }
  /// Accesses to memory so far.
  [[nodiscard]] std::int64_t accesses() const { return counts.instructions() - counts.alu; }
  /// Calls f(lanes) for each group of b lanes, which are billed together, that has an active one.
  template <class F>
  void for_groups(Lanes lanes, F f) const {
    const std::uint32_t b = group_lanes_;
    for (std::uint32_t first = 0; first < warp_lanes; first += b) {
      const Lanes group = lanes & all_lanes >> (warp_lanes - b) << first;
      if (group != 0) f(group);
    }
  }
  /// How many there are.
  [[nodiscard]] std::int64_t groups(Lanes lanes) const {
    if (group_lanes_ == warp_lanes) return lanes == 0 ? 0 : 1;
    std::int64_t result = 0;
    for_groups(lanes, [&](Lanes) { ++result; });
    return result;
  }

  Worker& worker;
  const LaunchPlan& plan;
  Counts counts;
  std::int64_t waited = 0;              ///< time units beyond those, in loops that wait for a time
  std::chrono::nanoseconds in_loops{};  ///< run time since a warp came to another loop or a barrier
  std::vector<std::byte> shared;        ///< and 32 words more
  Order order;
  SharedShadow shadow{order};
  Words shared_words{{}, 0, true};
  std::map<std::uint64_t, Mbarrier> mbarriers;  ///< by their offsets in shared memory
  Chain* chain = nullptr;                       ///< set where the lone time of this CTA is counted
  std::string output;                           ///< what printf wrote
  LineTrace lines;                              ///< where caches are simulated
  CtaRecorder* recorder = nullptr;              ///< set where this CTA is recorded

 private:
  struct Barrier {
    std::uint32_t threads = 0;  // expected, 0 for all
    std::uint32_t arrived = 0;  // threads, in whole warps
    std::uint32_t warps = 0;    // bits of the warps that have come
    std::uint32_t waiting = 0;  // bits of the warps that have come and wait
    Gathering gathering{};      // where it is not one of all warps
    Reduction reduction = Reduction::none;
    std::int64_t count = 0;  // predicates that are true
    std::int64_t lanes = 0;  // lanes that gave a predicate
    std::array<Place, 32> result{};
    std::uint32_t statement = 0;  // where the first warp came
  };

  /// The copies of a lane that it has not waited for.
  struct Copies {
    std::vector<std::vector<SharedShadow::Copy>> groups;  // the oldest first
    std::vector<SharedShadow::Copy> open;                 // copies of no group yet
  };
  [[nodiscard]] std::uint32_t all_warps() const {
    return static_cast<std::uint32_t>((std::uint64_t{1} << plan.warps) - 1);
  }
  /// Fills special registers whose values differ between CTAs, or the others.
  void fill_specials(const Warp& warp, bool of_cta) const;
  /// Finds warps that come to one __syncthreads() at two places: to barrier 0, aligned, of all.
  void check_place(const Warp& warp, const Instruction& instruction, const Barrier& barrier);
  void release(Barrier& barrier);
  void forget();
  void release_complete();
  void tell_unwritten();

  std::uint32_t group_lanes_;
  std::unique_ptr<Chain> own_chain_;  // once it was sampled
  std::int64_t index_ = 0;
  std::vector<Warp> warps_;
  std::uint32_t ended_ = 0;  // warps, bit by bit
  bool moved_ = false;
  bool had_share_ = false;
  std::uint32_t epoch_ = 0;  // epoch of `order` to which the shadows belong
  GlobalShadow global_{nullptr};
  std::array<Barrier, 17> barriers_{};  // the last one is the cluster's
  std::uint32_t used_ = 0;              // barriers to which warps have come, bit by bit
  struct Unwritten {
    std::uint32_t element;
    std::shared_ptr<DoubtfulValue> read;
  };
  std::vector<Unwritten> unwritten_;  // since the last barrier of the CTA
  std::map<std::uint32_t, std::shared_ptr<DoubtfulValue>> doubts_;  // by statement
  std::array<std::vector<Copies>, 2> copies_;  // [reads][thread]; empty where there was none
  std::vector<std::byte> rows_;
  std::vector<std::byte> local_;
  std::vector<std::vector<Call>> calls_;  // [thread]; empty where no function calls itself
  std::size_t local_bytes_ = 0;           // bytes of local memory of a lane
};

}  // namespace agpusim::ptx
