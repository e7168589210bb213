#pragma once

#include <cstdint>

#include "agpusim/model/agpu/counts.hpp"
#include "agpusim/model/agpu/spec.hpp"
#include "agpusim/model/loop.hpp"

namespace agpusim {

/// Adds up a closed form: charges instructions by their number and active lanes, independently of
/// the machine that runs kernels. "Rows" are the rows of V elements of `for_lanes(count)`: all full
/// but perhaps the last, whose active lanes are 0..count%V-1.
class Bill {
 public:
  explicit Bill(const AgpuSpec& spec) : spec_(spec) {}

  /// `instructions` arithmetic instructions, each with `active` active lanes in `warps` warps.
  void alu(std::int64_t instructions, std::int64_t active, std::int64_t warps);
  /// `instructions` arithmetic instructions with all lanes active.
  void alu(std::int64_t instructions);
  /// `instructions` arithmetic instructions with lanes 0..active-1 active.
  void alu_prefix(std::int64_t instructions, std::int64_t active);
  /// `instructions` per row of for_lanes(count), in its body.
  void alu_rows(std::int64_t instructions, std::int64_t count);
  /// What for_lanes(count) itself costs.
  void loop_rows(std::int64_t count);

  /// `rounds` rounds of global reads, one after the other.
  void rounds(std::int64_t rounds) { counts_.rounds += rounds; }
  /// The rounds of stream_lanes<in_flight>(count).
  void rounds_of_rows(std::int64_t count, std::int64_t in_flight = rows_in_flight);

  /// One contiguous access of `words`-word elements per row; element 0 is word `start` of an
  /// aligned array.
  void global_rows(GlobalCounts Counts::*kind, std::int64_t count, std::int64_t start,
                   std::int64_t words);
  /// An access instruction by `warps` warps with `active` active lanes in total; idle() is
  /// separate.
  void global(GlobalCounts Counts::*kind, std::int64_t active, std::int64_t warps,
              std::int64_t blocks, std::int64_t sectors);

  /// Lanes of global atomic requests that wait for others on their word.
  void serialised(std::int64_t lanes) { counts_.serialised += lanes; }

  /// One contiguous access per row.
  void shared_rows(SharedCounts Counts::*kind, std::int64_t count, std::int64_t words);
  /// One access of neighbouring elements by lanes first..first+active-1.
  void shared_run(SharedCounts Counts::*kind, std::int64_t first, std::int64_t active,
                  std::int64_t words);
  /// `requests` warps with `active` active lanes in total, each taking `wavefronts` time units
  /// where `least` would do without bank conflicts; idle() is separate.
  void shared(SharedCounts Counts::*kind, std::int64_t active, std::int64_t requests,
              std::int64_t wavefronts, std::int64_t least);

  /// The warps that issue `accesses` access instructions without an active lane, `active_warps`
  /// having one (nothing where empty warps are skipped).
  void idle(std::int64_t accesses, std::int64_t active_warps);

  /// Wavefronts of one warp whose lanes 0..active-1 access neighbouring elements: the fewest that
  /// distinct elements can take.
  [[nodiscard]] std::int64_t contiguous_wavefronts(std::int64_t active, std::int64_t words) const;
  /// Wavefronts of one warp whose lanes 0..active-1 access every `stride`-th element (theory L1).
  [[nodiscard]] std::int64_t strided_wavefronts(std::int64_t stride, std::int64_t active,
                                                std::int64_t words) const;
  /// Lanes that one pass serves: an element of several words takes several passes.
  [[nodiscard]] std::int64_t lanes_per_pass(std::int64_t words) const;

  void add(const Counts& counts, std::int64_t times = 1) { counts_ += counts * times; }
  [[nodiscard]] Counts counts() const;

 private:
  [[nodiscard]] std::int64_t warps_of(std::int64_t active) const;

  AgpuSpec spec_;
  Counts counts_;
};

}  // namespace agpusim
