#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "agpusim/ptx/run/access.hpp"
#include "agpusim/ptx/run/lanes.hpp"
#include "agpusim/ptx/run/worker.hpp"

namespace agpusim::ptx {

inline std::uint32_t shift_of(std::uint32_t power_of_two) {
  return static_cast<std::uint32_t>(std::countr_zero(power_of_two));
}

/// Elements of 2^shift bytes that lanes access, as RaceDetector and AtomicTally take them.
struct Elements {
  Elements(const Request& request, Lanes lanes, std::uint64_t base, std::uint32_t shift) {
    const auto number = [&](std::uint32_t lane) {
      return static_cast<std::int32_t>((request.address[lane] - base) >> shift);
    };
    if (lanes == all_lanes) {
      for (; count < 32; ++count) index[count] = number(static_cast<std::uint32_t>(count));
    } else {
      for_lanes(lanes, [&](std::uint32_t lane) { index[count++] = number(lane); });
    }
  }
  std::int32_t count = 0;
  alignas(64) std::int32_t index[warp_lanes];
};

/// Finds, checks and bills one access of a warp.
class Locator {
 public:
  Locator(Warp& warp, const Instruction& instruction, Touched touched, Request& request)
      : warp_(warp),
        instruction_(instruction),
        touched_(touched),
        request_(request),
        cta_(warp.cta),
        worker_(warp.cta.worker),
        counts_(warp.cta.worker.costs[instruction.statement]),
        space_(instruction.space),
        is_free_(warp.is_polling() || (instruction.flags & Access::sync) != 0) {}

  /// In whatever space the instruction names.
  void all();
  /// Tells the recorder of what access() locates.
  template <class F>
  void recorded(F access);
  void generic();
  void global(Lanes lanes);
  void constant(Lanes lanes);
  void shared(Lanes lanes);
  void local(Lanes lanes, std::uint64_t window);
  void parameter(Lanes lanes, std::uint64_t window);
  /// Adds a finding for each of these lanes, whose values another one has replaced.
  void conflicts(Lanes lanes);
  /// Neighbouring bytes that one lane moves, any multiple of 16: where the host has them.
  std::byte* run(std::uint32_t lane, Space space);

 private:
  /// The addresses of some lanes.
  struct Reach {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    bool is_row = false;  // neighbours, lane after lane, and no lane between them is missing
  };
  /// What an address is in: an array, an allocation, a window; outside of all, what it was meant
  /// to be in. No name where that is not known.
  struct Target {
    std::string array = {};
    std::int64_t offset = 0;  // bytes
    std::uint64_t bytes = 0;
  };
  [[nodiscard]] Target target_of(std::uint64_t address) const;
  [[nodiscard]] Target shared_target(std::int64_t offset) const;
  /// "reads 4 bytes at offset 400 of 512 bytes of sums (element 100)", and `more`.
  [[nodiscard]] Finding finding(Rule rule, std::uint32_t lane, std::uint64_t address,
                                std::string_view more) const;
  void find(Rule rule, std::uint32_t lane, std::uint64_t address, std::string_view more) {
    worker_.findings.add(finding(rule, lane, address, more));
  }
  [[noreturn]] void stop(Rule rule, std::uint32_t lane, std::uint64_t address,
                         std::string_view more = "") {
    find(rule, lane, address, more);
    throw Stopped{};
  }
  void require_aligned(std::uint64_t address, std::uint32_t lane);
  void require_aligned(Lanes lanes);
  [[nodiscard]] bool is_strong() const {
    return touched_ == Touched::atomic || (instruction_.flags & Access::strong) != 0;
  }
  /// What loops read that wait is told to them, even if it is only volatile.
  [[nodiscard]] Strength strength() const {
    if (!is_strong()) return Strength::weak;
    if ((instruction_.flags & Access::of_cta) != 0) return Strength::of_cta;
    const bool waits = touched_ == Touched::read && warp_.is_in_waiting_loop;
    const bool only_volatile = (instruction_.flags & Access::is_volatile) != 0;
    return only_volatile && !waits ? Strength::is_volatile : Strength::strong;
  }
  /// To the counts of the CTA and of the statement.
  template <class T>
  void add(T Counts::*kind, const T& amount) {
    if (is_free_) return;
    cta_.counts.*kind += amount;
    counts_.*kind += amount;
  }
  [[nodiscard]] Reach reach_of(Lanes lanes) const;
  [[nodiscard]] AccessShape shape_of(Lanes lanes, const Reach& reach) const;
  Allocation& allocation_of(std::uint64_t address, std::uint32_t lane);
  /// The one that holds them all; null where there is none.
  Allocation* allocation_of(Lanes lanes, const Reach& reach);
  [[nodiscard]] std::int64_t different_addresses(Lanes lanes) const;
  /// Cycles of L1 for a read of so many lines: banks as shared memory has them, and tags.
  [[nodiscard]] std::int64_t l1_passes(Lanes lanes, const Reach& reach, bool is_row,
                                       std::int64_t lines);
  void price_global(Allocation& allocation, Lanes lanes, const Reach& reach);
  void note_global(Allocation& allocation, Lanes lanes, const Reach& reach);
  /// What lanes do to an allocation or, `is_one`: at the same place, to local memory is traced.
  void trace_global(const Allocation& allocation, Lanes lanes, const Reach& reach, bool is_row);
  void trace_local(Lanes lanes, std::uint64_t window, bool is_one);
  void check_written(Allocation& allocation, Lanes lanes, const Reach& reach);
  [[nodiscard]] bool are_apart(std::span<const Lanes> rows) const;
  void note_ctas(Allocation& allocation, Lanes lanes, const Reach& reach);
  void note_threads(Lanes lanes, const Reach& reach);
  void find_global_race(std::uint32_t lane, const GlobalShadow::Other& other);
  void note_words(Lanes lanes, Words& words);
  /// A race with an access of that strength, which reads or not, and of whom the text says what:
  /// of this CTA where it `is_near`.
  void find_race(Rule rule, std::uint32_t lane, std::uint64_t address, Strength other,
                 bool other_reads, bool is_near, const std::function<std::string()>& who);
  [[nodiscard]] static std::string used_by(Note other);
  [[nodiscard]] static std::string used_by(std::int64_t cta);
  /// The word that a lane accesses, where it was located.
  [[nodiscard]] std::uint64_t word_of(std::uint32_t lane) const {
    const auto shared = reinterpret_cast<std::uint64_t>(cta_.shared.data());
    const auto at = reinterpret_cast<std::uint64_t>(request_.at(lane));
    const bool is_shared = at >= shared && at < shared + cta_.shared.size();
    return is_shared ? shared_word(at - shared) : at;
  }
  /// A word of shared memory, as Races takes it.
  [[nodiscard]] std::uint64_t shared_word(std::uint64_t address) const {
    constexpr std::uint32_t most_shared_bits = 28;
    return std::uint64_t{1} << 63 | static_cast<std::uint64_t>(cta_.index()) << most_shared_bits |
           address % window_bytes;
  }
  /// Bytes of a lane's access that nobody has written.
  struct Gaps {
    std::uint32_t count = 0;
    /// Some of each 8 bytes were written: structures have less padding, which is only copied.
    bool may_be_padding = true;
    std::array<std::uint8_t, 4> registers{};  // bytes of each, bit by bit, or Warp::whole
  };
  /// `is_written`: whether the byte of this number of the access is.
  template <class F>
  [[nodiscard]] Gaps gaps_of(F is_written) const {
    Gaps result;
    result.may_be_padding = touched_ == Touched::read;
    const std::uint32_t step = std::min(8U, request_.bytes);
    const std::uint32_t bytes = instruction_.bytes;
    for (std::uint32_t i = 0, in_step = 0; i < request_.bytes; ++i) {
      if (i % step == 0) in_step = 0;
      if (is_written(i)) continue;
      ++result.count;
      if (++in_step == step) result.may_be_padding = false;
      if (i >= instruction_.count * bytes) continue;
      std::uint8_t& gap = result.registers[i / bytes];
      gap = static_cast<std::uint8_t>(gap | 1U << i % bytes);
      if (gap == (1U << bytes) - 1) gap = Warp::whole;
    }
    return result;
  }
  [[nodiscard]] Finding unwritten(Rule rule, const Gaps& gaps, std::uint32_t lane) const;
  /// Lets a lane copy what may be padding: the registers that hold nothing else are not to be used.
  void watch_padding(Rule rule, const Gaps& gaps, std::uint32_t lane);

  void describe(Lanes lanes, SharedRequest& result) const;
  void fail_shared(Lanes lanes, std::uint64_t window);
  [[nodiscard]] SharedCounts price_of(Lanes lanes, std::uint64_t span);
  [[nodiscard]] bool note_window(SharedRequest& request, std::uint32_t low);
  [[nodiscard]] bool look_at_scattered(Lanes lanes, std::uint64_t window);
  void note_shared(Lanes lanes, std::uint64_t window);
  void shared_run(Lanes lane, std::uint64_t offset);
  void find_shared(SharedShadow::Found found, std::uint32_t lane, std::uint32_t element);

  Warp& warp_;
  const Instruction& instruction_;
  Touched touched_;
  Request& request_;
  Cta& cta_;
  Worker& worker_;
  StatementCost& counts_;
  Space space_;   // reg: generic
  bool is_free_;  // not billed: a further turn of a loop that waits, or an mbarrier
};

}  // namespace agpusim::ptx
