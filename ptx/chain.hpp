#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "agpusim/model/agpu/execution.hpp"
#include "agpusim/model/agpu/private_cache.hpp"
#include "agpusim/ptx/warp.hpp"

namespace agpusim::ptx {

/// When the instructions of a CTA alone on a multiprocessor issue: in order in each warp, and not
/// before their operands have arrived, so that reads overlap as the compiler arranged them. A
/// barrier takes the latest warp.
class Chain {
 public:
  Chain(const Program& program, std::uint32_t warps);

  /// Around each instruction that a warp executes.
  void before(Warp& warp, const Instruction& instruction);
  void after(const Warp& warp, const Instruction& instruction);
  /// What the instruction at hand does to memory.
  void shared(std::int64_t wavefronts, std::uint32_t bytes);
  void global(bool reads, std::span<const std::uint64_t> addresses, Lanes lanes,
              std::uint32_t bytes, std::int64_t blocks);
  /// These warps have met, bit by bit.
  void barrier(std::uint32_t warps);

  /// What the CTA has executed so far: its lone time, and misses of its L1 cache.
  [[nodiscard]] Execution executed() const;
  /// Waits for reads of global memory, one after the other, of the warp that has most.
  [[nodiscard]] std::int64_t rounds() const;

 private:
  struct Value {
    Moments at{};
    std::uint64_t read = 0;  ///< number of the latest read that it needs, 0 for none
  };
  struct State {
    Moments clock{};
    std::vector<Value> values;  // by place / 4
    std::uint64_t reads = 0;    // so far
    std::uint64_t waited = 0;   // for the reads up to this one
    std::int64_t rounds = 0;
  };
  enum class Access : std::uint8_t { none, shared, read, write };

  [[nodiscard]] Value* value(State& state, Place place) const;
  static void advance(State& state, std::int64_t units);

  const Program& program_;
  std::vector<State> warps_;
  PrivateCache cache_;
  Execution executed_;
  // Of the instruction at hand.
  Access access_ = Access::none;
  Moments latency_{};
  std::int64_t slots_ = 0;
  std::uint64_t last_read_ = 0;  // that its operands need
};

}  // namespace agpusim::ptx
