#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/inputs.hpp"
#include "agpusim/algorithms/common/operators.hpp"
#include "agpusim/algorithms/common/segment_parameters.hpp"
#include "agpusim/algorithms/reduce/kernel.hpp"
#include "agpusim/algorithms/scan/kernel.hpp"
#include "agpusim/model/run/host_program.hpp"

namespace agpusim::scan {

/// c by default: odd, and large enough to hide the scan over the lanes for V up to 512.
inline constexpr std::int64_t default_per_lane = 9;

/// The method of a run, for its machine and parameters.
template <class Method>
[[nodiscard]] Method method_of_run(const RunConfig& config) {
  if constexpr (std::is_same_v<Method, LaneSerial>) {
    return {config.spec.width, static_cast<std::int32_t>(config.parameters.at("per_lane"))};
  } else if constexpr (std::is_same_v<Method, KoggeStone>) {
    return {config.spec.width};
  } else {
    const auto banks = static_cast<std::uint32_t>(config.spec.block_words);
    return {config.spec.width, config.spec.block_words,
            std::has_single_bit(banks) ? std::countr_zero(banks) : -1};
  }
}

/// The segments of a run: whole tiles where lanes go over their neighbours.
[[nodiscard]] inline Cut cut_of_run(const RunConfig& config) {
  Segmentation how = segmentation(config);
  const bool trees = config.variant == "kogge_stone" || config.variant.starts_with("blelloch");
  if (!trees) how.unit_rows = config.parameters.at("per_lane");
  return {config.n, how};
}

/// What comes before element 0: `init`, or the operator's identity where it is 0.
template <class Operator>
[[nodiscard]] typename Operator::value_type start_of_run(const RunConfig& config) {
  const auto init = config.parameters.find("init");
  if (init == config.parameters.end()) return Operator::identity;
  return static_cast<typename Operator::value_type>(init->second);
}

/// A scan of arrays of one length: three phases, and the array of partial results that they share.
template <class Device, class Operator, class Method = LaneSerial>
class Scan {
 public:
  using T = typename Operator::value_type;

  Scan(Device& device, const Cut& cut, const Method& method)
      : device_(device),
        cut_(cut),
        method_(method),
        partials_(device.template allocate<T>(cut.most_tasks(), "partials")) {}
  /// With lanes that go over c = `per_lane` neighbours.
  Scan(Device& device, const Cut& cut, std::int32_t per_lane)
      : Scan(device, cut, LaneSerial{static_cast<std::int32_t>(cut.how().width), per_lane}) {}

  /// out[i] = init combined with the elements of `in` up to i. `length` is nothing, or an array
  /// whose element 0 is the length.
  template <class In, class Out, class... Length>
  void operator()(const In& in, const Out& out, Kind kind, T init, const Length&... length) {
    if (cut_.host().n == 0) return;
    const std::int64_t tasks = sizeof...(Length) > 0 ? cut_.most_tasks() : cut_.host().tasks;
    if constexpr (Operator::commutative) {
      device_.launch(tasks, reduce::SegmentReduce<Operator>{cut_, method_.width}, in, partials_,
                     length...);
    } else {
      device_.launch(tasks,
                     reduce::OrderedSegmentReduce<Operator>{cut_, method_.width, method_.per_lane},
                     in, partials_, length...);
    }
    device_.launch(1, ScanPartials<Operator, Method>{tasks, method_, init}, partials_);
    device_.launch(tasks, ScanSegments<Operator, Method>{cut_, method_, kind}, in, partials_, out,
                   length...);
  }

  /// Scans first and adds what lies before then: one more pass over `out`.
  template <class In, class Out>
  void then_add(const In& in, const Out& out, Kind kind, T init) {
    if (cut_.host().n == 0) return;
    const std::int64_t tasks = cut_.host().tasks;
    device_.launch(tasks, ScanAlone<Operator, Method>{cut_, method_, kind}, in, out, partials_);
    device_.launch(1, ScanPartials<Operator, Method>{tasks, method_, init}, partials_);
    device_.launch(tasks, AddBefore<Operator>{cut_}, partials_, out);
  }

 private:
  Device& device_;
  Cut cut_;
  Method method_;
  typename Device::template Array<T> partials_;
};

/// In which order a scan's passes come.
enum class Order : std::uint8_t { reduce_then_scan, scan_then_add };

/// The host program of the algorithm `scan`.
template <class Device, class Operator, class Method, Order order>
class Program {
 public:
  using T = typename Operator::value_type;

  Program(Device& device, const RunConfig& config)
      : device_(device),
        kind_(config.parameters.at("exclusive") != 0 ? Kind::exclusive : Kind::inclusive),
        init_(start_of_run<Operator>(config)),
        in_(device.template allocate<T>(config.n, "in")),
        out_(device.template allocate<T>(config.n, "out")),
        scan_(device, cut_of_run(config), method_of_run<Method>(config)) {
    device_.template upload<T>(in_,
                               [&] { return generate<T>(config.input, config.n, config.seed); });
  }

  void run() {
    if constexpr (order == Order::scan_then_add) {
      scan_.then_add(in_, out_, kind_, init_);
    } else {
      scan_(in_, out_, kind_, init_);
    }
  }
  std::uint64_t checksum() { return agpusim::checksum<T>(device_.download(out_)); }

 private:
  Device& device_;
  Kind kind_;
  T init_;
  typename Device::template Array<T> in_;
  typename Device::template Array<T> out_;
  Scan<Device, Operator, Method> scan_;
};

/// Calls `f.operator()<Operator, Method, order>()` for the variant and type of a run.
template <class F>
auto with_method(const RunConfig& config, F f) {
  using operators::Sum;
  constexpr Order first = Order::reduce_then_scan;
  if (config.variant == "affine") {
    return f.template operator()<operators::ComposeAffine, LaneSerial, first>();
  }
  return with_element_type(config.type, [&]<class T>(T) {
    if (config.variant == "max") {
      return f.template operator()<operators::Max<T>, LaneSerial, first>();
    }
    if (config.variant == "scan_then_add") {
      return f.template operator()<Sum<T>, LaneSerial, Order::scan_then_add>();
    }
    if (config.variant == "kogge_stone") {
      return f.template operator()<Sum<T>, KoggeStone, first>();
    }
    if (config.variant == "blelloch") {
      return f.template operator()<Sum<T>, Blelloch<false>, first>();
    }
    if (config.variant == "blelloch_padded") {
      return f.template operator()<Sum<T>, Blelloch<true>, first>();
    }
    return f.template operator()<Sum<T>, LaneSerial, first>();
  });
}

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return with_method(config, [&]<class Operator, class Method, Order order>() {
    return host_program<Program<Device, Operator, Method, order>>(device, config);
  });
}

}  // namespace agpusim::scan
