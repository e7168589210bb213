#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/algorithms/out_of_core/kernels.hpp"
#include "agpusim/algorithms/out_of_core/mapped.hpp"
#include "agpusim/algorithms/out_of_core/step_cost.hpp"
#include "agpusim/algorithms/reduce/kernel.hpp"
#include "agpusim/algorithms/scan/kernel.hpp"

// What happens to a chunk on the device. A step has launch(device, arrays...), its kernels in
// order. Its counts are derived from them; a step whose kernels' cost depends on data has
// phases(spec), what it costs for the data that is said beside it, or planned(), a step that costs
// what this one does for such data.
namespace agpusim::out_of_core {

/// out[i] = f(in[i]). F has input_type, output_type, alu (instructions of one application) and
/// operator() on lanes.
template <class F>
struct MapStep {
  using In = typename F::input_type;
  using Out = typename F::output_type;
  static constexpr const char* name = "map";

  std::int64_t n;
  F f;

  template <class Device, class InArray, class OutArray>
  void launch(Device& device, const InArray& in, const OutArray& out) const {
    const Cut cut = cut_of_chunk(device.spec(), n);
    device.launch(cut.host().tasks, MapElements<F>{cut, f}, in, out);
  }
};

/// partials[t] = the fold of f of the elements of segment t of the cut.
template <class Operator, class F, class Device, class In, class Partials>
void fold_segments(Device& device, const Cut& cut, const F& f, const In& in,
                   const Partials& partials) {
  const scan::LaneSerial method = scan_method(device.spec());
  const std::int64_t tasks = cut.host().tasks;
  if constexpr (Operator::commutative) {
    device.launch(tasks, mapped(f, reduce::SegmentReduce<Operator>{cut, method.width}), in,
                  partials);
  } else {
    device.launch(
        tasks,
        mapped(f, reduce::OrderedSegmentReduce<Operator>{cut, method.width, method.per_lane}), in,
        partials);
  }
}

/// Folds f of `in[0..n-1]` in order to result[0], by way of `partials`. n >= 1.
template <class Operator, class F = Same<typename Operator::value_type>>
struct ReduceStep {
  static constexpr const char* name =
      std::is_same_v<F, Same<typename F::input_type>> ? "reduce" : "transform_reduce";

  std::int64_t n;
  F f = {};

  template <class Device, class In, class Array>
  void launch(Device& device, const In& in, const Array& partials, const Array& result) const {
    const Cut cut = cut_of_chunk(device.spec(), n);
    fold_segments<Operator>(device, cut, f, in, partials);
    fold_segments<Operator>(device, cut_of_partials(device.spec(), cut.host().tasks),
                            Same<typename Operator::value_type>{}, partials, result);
  }
};

/// out[i] = carry[0] combined with f of `in` up to i (inclusive) or before i (exclusive), by way of
/// `partials`; then carry[0] is what lies before the next chunk. f is applied twice to an element,
/// which is less than to store it in between. n >= 1.
template <class Operator, class F = Same<typename Operator::value_type>>
struct ScanStep {
  static constexpr const char* name =
      std::is_same_v<F, Same<typename F::input_type>> ? "scan" : "transform_scan";

  std::int64_t n;
  scan::Kind kind;
  F f = {};

  template <class Device, class In, class Array>
  void launch(Device& device, const In& in, const Array& partials, const Array& carry,
              const Array& out) const {
    const Cut cut = cut_of_chunk(device.spec(), n);
    const std::int64_t tasks = cut.host().tasks;
    const scan::LaneSerial method = scan_method(device.spec());
    fold_segments<Operator>(device, cut, f, in, partials);
    device.launch(1, CarryPartials<Operator>{tasks, method}, partials, carry);
    device.launch(tasks,
                  mapped(f, scan::ScanSegments<Operator, scan::LaneSerial>{cut, method, kind}), in,
                  partials, out);
  }
};

/// data[i] = before[at] combined with data[i].
template <class Operator>
struct CombineStep {
  static constexpr const char* name = "combine";

  std::int64_t n;
  std::int64_t at;

  template <class Device, class Array>
  void launch(Device& device, const Array& before, const Array& data) const {
    const Cut cut = cut_of_chunk(device.spec(), n);
    device.launch(cut.host().tasks, CombineBefore<Operator>{cut, at}, before, data);
  }
};

/// window[index[i] - first] = in[i] where that is in the window of `size` elements; indices outside
/// 0..total-1 are counted in bad[0].
template <class T>
struct ScatterStep {
  static constexpr const char* name = "scatter";

  std::int64_t n;
  std::int64_t first;
  std::int64_t size;
  std::int64_t total;

  template <class Device, class Index, class Array, class Bad>
  void launch(Device& device, const Index& index, const Array& in, const Array& window,
              const Bad& bad) const {
    const Cut cut = cut_of_chunk(device.spec(), n);
    device.launch(cut.host().tasks, ScatterToWindow{cut, first, size, total}, index, in, window,
                  bad);
  }
  [[nodiscard]] std::vector<PhaseReport> phases(const AgpuSpec& spec) const {
    const auto share = static_cast<double>(size) / static_cast<double>(total);
    return scatter_phases(spec, n, static_cast<std::int64_t>(static_cast<double>(n) * share),
                          sizeof(T));
  }
};

}  // namespace agpusim::out_of_core
