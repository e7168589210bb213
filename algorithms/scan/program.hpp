#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/algorithms/checksum.hpp"
#include "agpusim/algorithms/inputs.hpp"
#include "agpusim/algorithms/operators.hpp"
#include "agpusim/algorithms/reduce/kernel.hpp"
#include "agpusim/algorithms/scan/kernel.hpp"
#include "agpusim/algorithms/segment_parameters.hpp"

namespace agpusim::scan {

/// c by default: odd, and large enough to hide the scan over the lanes for V up to 512.
inline constexpr std::int64_t default_per_lane = 9;

/// A scan of arrays of one length: three phases, and the array of partial results that they share.
template <class Device, class Operator>
class Scan {
 public:
  using T = typename Operator::value_type;

  Scan(Device& device, const Cut& cut, std::int32_t per_lane)
      : device_(device),
        cut_(cut),
        shape_{static_cast<std::int32_t>(cut.how().width), per_lane},
        partials_(device.template allocate<T>(cut.most_tasks(), "partials")) {}

  /// out[i] = init combined with the elements of `in` up to i. `length` is nothing, or an array
  /// whose element 0 is the length.
  template <class In, class Out, class... Length>
  void operator()(const In& in, const Out& out, Kind kind, T init, const Length&... length) {
    if (cut_.host().n == 0) return;
    const std::int64_t tasks = sizeof...(Length) > 0 ? cut_.most_tasks() : cut_.host().tasks;
    if constexpr (Operator::commutative) {
      device_.launch(tasks, reduce::SegmentReduce<Operator>{cut_, shape_.width}, in, partials_,
                     length...);
    } else {
      device_.launch(tasks,
                     reduce::OrderedSegmentReduce<Operator>{cut_, shape_.width, shape_.per_lane},
                     in, partials_, length...);
    }
    device_.launch(1, ScanPartials<Operator>{tasks, shape_, init}, partials_);
    device_.launch(tasks, ScanSegments<Operator>{cut_, shape_, kind}, in, partials_, out,
                   length...);
  }

 private:
  Device& device_;
  Cut cut_;
  TileShape shape_;
  typename Device::template Array<T> partials_;
};

/// The host program of the algorithm `scan`.
template <class Device, class Operator>
class Program {
 public:
  using T = typename Operator::value_type;

  Program(Device& device, const RunConfig& config)
      : device_(device),
        kind_(config.parameters.at("exclusive") != 0 ? Kind::exclusive : Kind::inclusive),
        in_(device.template allocate<T>(config.n, "in")),
        out_(device.template allocate<T>(config.n, "out")),
        scan_(device, Cut(config.n, segmentation(config)),
              static_cast<std::int32_t>(config.parameters.at("per_lane"))) {
    device_.template upload<T>(in_, generate<T>(config.input, config.n, config.seed));
  }

  void run() { scan_(in_, out_, kind_, Operator::identity); }
  std::uint64_t checksum() { return agpusim::checksum<T>(device_.download(out_)); }

 private:
  Device& device_;
  Kind kind_;
  typename Device::template Array<T> in_;
  typename Device::template Array<T> out_;
  Scan<Device, Operator> scan_;
};

}  // namespace agpusim::scan
