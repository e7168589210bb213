#pragma once

#include <cstdint>

#include "agpusim/algorithms/out_of_core/step_cost.hpp"
#include "agpusim/algorithms/segmented/kernel.hpp"

// The steps of the segmented primitives (steps.hpp says what a step is).
namespace agpusim::out_of_core {

/// The exclusive scan of the pairs of a chunk's pieces, in place, by one task, from the fold of the
/// segment that is open before the chunk: carry[0], where open[0] is 1. Then these are what is open
/// behind it, and found[0] is how many segments there are in the chunk, that one included.
template <class Operator>
struct CarryPieces {
  static constexpr const char* name = "carry_pieces";
  static constexpr bool oblivious = true;

  std::int64_t count;  ///< pieces
  agpusim::scan::LaneSerial method;

  [[nodiscard]] std::int64_t shared_bytes() const {
    return method.template shared_bytes<typename segmented::Segmented<Operator>::value_type>();
  }

  template <class Mp, class Folds, class Counts, class Carry, class Open, class Found>
  AGPUSIM_FN void operator()(Mp& mp, Folds folds, Counts counts, Carry carry, Open open,
                             Found found) const {
    const segmented::PairView<Carry, Open> before{carry, open};
    const auto total = segmented::scan_pieces<Operator>(mp, method, count, folds, counts,
                                                        before.read(mp.varying(std::int32_t{0})));
    const auto lane = mp.lane();
    mp.when(lane == 0, [&] {
      carry.write(lane, total.value);
      open.write(lane, min(total.heads, 1U));
      found.write(lane, total.heads);
    });
  }
};

/// out[i] = the fold of its segment up to i, and what CarryPieces does. n >= 1.
template <class Operator>
struct SegmentedScanStep {
  static constexpr const char* name = "segmented_scan";

  std::int64_t n;

  template <class Device, class Values, class Heads>
  void launch(Device& device, const Values& values, const Heads& heads, const Values& folds,
              const Heads& counts, const Values& carry, const Heads& open, const Heads& found,
              const Values& out) const {
    const Cut cut = cut_of_chunk(device.spec(), n);
    const agpusim::scan::LaneSerial method = scan_method(device.spec());
    const std::int64_t pieces = cut.host().tasks;
    device.launch(pieces, segmented::FoldPieces<Operator>{cut, method}, values, heads, folds,
                  counts);
    device.launch(1, CarryPieces<Operator>{pieces, method}, folds, counts, carry, open, found);
    device.launch(pieces, segmented::ScanWithin<Operator>{cut, method}, values, heads, folds,
                  counts, out);
  }
};

/// out[k] = the fold of segment k of those that end in the chunk, in front of a head, and what
/// CarryPieces does. n >= 1. `is_planned`: every 16th element is a head, whatever the array says.
template <class Operator, bool is_planned = false>
struct SegmentedReduceStep {
  static constexpr const char* name = "segmented_reduce";

  std::int64_t n;

  template <class Device, class Values, class Heads>
  void launch(Device& device, const Values& values, const Heads& heads, const Values& folds,
              const Heads& counts, const Values& carry, const Heads& open, const Heads& found,
              const Values& out) const {
    const Cut cut = cut_of_chunk(device.spec(), n);
    const agpusim::scan::LaneSerial method = scan_method(device.spec());
    const std::int64_t pieces = cut.host().tasks;
    device.launch(pieces, segmented::FoldPieces<Operator>{cut, method}, values, heads, folds,
                  counts);
    device.launch(1, CarryPieces<Operator>{pieces, method}, folds, counts, carry, open, found);
    device.launch(pieces, segmented::FoldEnded<Operator, is_planned>{cut, method}, values, heads,
                  folds, counts, out);
  }
  [[nodiscard]] SegmentedReduceStep<Operator, true> planned() const { return {n}; }
};

}  // namespace agpusim::out_of_core
