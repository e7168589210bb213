#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "agpusim/model/cost/bill.hpp"
#include "agpusim/model/run/run.hpp"

namespace agpusim {

/// No element: the lane does not take part in an access.
inline constexpr std::int32_t no_element = -1;

/// Charges accesses whose places depend on the data by looking at every place: the slow obvious
/// way. An access is made row by row, as by for_lanes(places.size()): the lane of element i
/// accesses element places[i], or nothing where that is no_element.
class IndexedAccess {
 public:
  /// `words` per element of the array accessed.
  IndexedAccess(const AgpuSpec& spec, std::int64_t words) : spec_(spec), words_(words) {}

  /// Global memory, element 0 at a block's start.
  void global(Bill& bill, GlobalCounts Counts::*kind, std::span<const std::int32_t> places) const;
  /// Shared memory, element 0 at word `base`.
  void shared(Bill& bill, SharedCounts Counts::*kind, std::span<const std::int32_t> places,
              std::int64_t base) const;
  /// `instructions` arithmetic instructions of the lanes that have a place.
  void alu(Bill& bill, std::int64_t instructions, std::span<const std::int32_t> places) const;

 private:
  template <class F>
  void for_warps(std::span<const std::int32_t> places, F f) const;

  AgpuSpec spec_;
  std::int64_t words_;
};

/// Contention and footprint of the atomic operations of a phase: `operations[e]` of them on element
/// e of an aligned array with `words` per element.
void add_contention(PhaseForm& form, const AgpuSpec& spec, std::span<const std::int32_t> operations,
                    std::int64_t words);

}  // namespace agpusim
