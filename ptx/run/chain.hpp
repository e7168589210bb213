#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "agpusim/model/agpu/block_schedule.hpp"
#include "agpusim/model/agpu/execution.hpp"
#include "agpusim/model/agpu/private_cache.hpp"
#include "agpusim/ptx/run/access.hpp"
#include "agpusim/ptx/run/warp.hpp"

namespace agpusim::ptx {

/// When the instructions of a CTA alone on a multiprocessor issue. ptxas arranges those of a block:
/// a read not above a write of the same space. A block begins when all of the one before have
/// issued. A barrier takes the latest warp.
class Chain {
 public:
  Chain(const Program& program, std::uint32_t warps);
  /// Another CTA begins.
  void clear();

  /// Around each instruction that a warp executes.
  void before(const Warp& warp, const Instruction& instruction);
  void after();
  /// What the instruction at hand does to memory.
  void shared(Touched touched, std::int64_t wavefronts, std::uint32_t bytes);
  void global(Touched touched, std::span<const std::uint64_t> addresses, Lanes lanes,
              std::uint32_t bytes, std::int64_t passes);
  /// A read of constant memory that takes so many turns more.
  void constant(std::int64_t turns);
  /// An access to local memory in so many lines, which the L1 cache holds.
  void local(Touched touched, std::int64_t lines);
  /// These warps have met, bit by bit.
  void barrier(std::uint32_t warps);

  /// What the CTA has executed so far: its lone time, and misses of its L1 cache.
  [[nodiscard]] Execution executed() const;
  /// Cycles of the L1 cache for reads.
  [[nodiscard]] std::int64_t passes() const { return passes_; }
  /// Waits for reads of global memory, one after the other, of the warp that has most.
  [[nodiscard]] std::int64_t rounds() const;

 private:
  struct Value {
    Moments at{};
    std::int64_t rounds = 0;  ///< reads of global memory, one after the other, that it needs

    void take(const Value& other);  ///< the later of both
  };
  struct State {
    BlockSchedule schedule;          // when instructions of the block issue
    std::int64_t rounds = 0;         // before it
    std::int64_t latest_rounds = 0;  // most among the block's instructions
    std::uint32_t block = ~std::uint32_t{0};
    std::int64_t turns = 0;        // turns of its loop that issue together
    std::int64_t words = 0;        // words that a lane reads in these turns
    std::int64_t block_words = 0;  // and since the block began
    bool writes = false;           // they write, too
    std::array<Value, 2> written;  // latest write to global, to shared memory
  };
  enum class Access : std::uint8_t { none, shared, global };

  void enter(const Instruction& instruction);
  static void end_block(State& state);
  /// The latest write to the space of the access at hand.
  [[nodiscard]] Value& written() const {
    return state_->written[access_ == Access::shared ? 1 : 0];
  }

  const Program& program_;
  std::vector<State> warps_;
  std::vector<Value> values_;  // [warp and register], as Program::issues numbers registers
  PrivateCache cache_;
  Execution executed_;
  std::int64_t passes_ = 0;
  // The instruction at hand and its warp.
  const Issue* step_ = nullptr;
  State* state_ = nullptr;
  Value* registers_ = nullptr;  // values of the warp's registers
  Access access_ = Access::none;
  Moments latency_{};
  std::int64_t slots_ = 0;
  Touched touched_ = Touched::read;
  std::int64_t words_ = 0;
  Value issue_;
};

}  // namespace agpusim::ptx
