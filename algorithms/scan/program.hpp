#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/operators.hpp"
#include "agpusim/algorithms/common/segment_parameters.hpp"
#include "agpusim/algorithms/own_program.hpp"
#include "agpusim/algorithms/reduce/kernel.hpp"
#include "agpusim/algorithms/scan/kernel.hpp"

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
    const std::int32_t banks = config.spec.block_words;
    const auto half = std::bit_floor(static_cast<std::uint32_t>(config.spec.width));
    Method method{config.spec.width, static_cast<std::int32_t>(half), {}};
    if constexpr (std::is_same_v<Method, Blelloch<Padded>>) method.place = {banks};
    if constexpr (std::is_same_v<Method, Blelloch<PaddedByShift>>) {
      method.place = {std::countr_zero(static_cast<std::uint32_t>(banks))};
    }
    return method;
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

/// Launches a scan in three phases: out[i] = init combined with the elements of `in` up to i.
/// `length` is nothing, or an array whose element 0 is the length.
template <class Operator, class Method, class Run, class In, class Out, class... Length>
void launch(Run& run, const Cut& cut, const Method& method, const In& in, const Out& out, Kind kind,
            typename Operator::value_type init, const Length&... length) {
  using T = typename Operator::value_type;
  const auto partials = run.template array<T>(cut.most_tasks(), "partials");
  if (cut.host().n == 0) return;
  const std::int64_t tasks = sizeof...(Length) > 0 ? cut.most_tasks() : cut.host().tasks;
  if constexpr (Operator::commutative) {
    run.launch(tasks, reduce::SegmentReduce<Operator>{cut, method.width}, in, partials, length...);
  } else {
    run.launch(tasks, reduce::OrderedSegmentReduce<Operator>{cut, method.width, method.per_lane},
               in, partials, length...);
  }
  run.launch(1, ScanPartials<Operator, Method>{tasks, method, init}, partials);
  run.launch(tasks, ScanSegments<Operator, Method>{cut, method, kind}, in, partials, out,
             length...);
}

/// Launches a scan of the segments, whose output takes what lies before them in one more pass.
template <class Operator, class Method, class Run, class In, class Out>
void launch_then_add(Run& run, const Cut& cut, const Method& method, const In& in, const Out& out,
                     Kind kind, typename Operator::value_type init) {
  using T = typename Operator::value_type;
  const auto partials = run.template array<T>(cut.most_tasks(), "partials");
  if (cut.host().n == 0) return;
  const std::int64_t tasks = cut.host().tasks;
  run.launch(tasks, ScanAlone<Operator, Method>{cut, method, kind}, in, out, partials);
  run.launch(1, ScanPartials<Operator, Method>{tasks, method, init}, partials);
  run.launch(tasks, AddBefore<Operator>{cut}, partials, out);
}

/// In which order a scan's passes come.
enum class Order : std::uint8_t { reduce_then_scan, scan_then_add };

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
      return f.template operator()<Sum<T>, Blelloch<Unpadded>, first>();
    }
    if (config.variant == "blelloch_padded") {
      if (std::has_single_bit(static_cast<std::uint32_t>(config.spec.block_words))) {
        return f.template operator()<Sum<T>, Blelloch<PaddedByShift>, first>();
      }
      return f.template operator()<Sum<T>, Blelloch<Padded>, first>();
    }
    return f.template operator()<Sum<T>, LaneSerial, first>();
  });
}

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return with_method(config, [&]<class Operator, class Method, Order order>() {
    return own_program<Device, typename Operator::value_type>(device, config, [&](auto& run) {
      const Cut cut = cut_of_run(config);
      const auto method = method_of_run<Method>(config);
      const Kind kind = run.parameter("exclusive") != 0 ? Kind::exclusive : Kind::inclusive;
      const auto init = start_of_run<Operator>(config);
      const auto in = run.input("in");
      const auto out = run.array(config.n, "out");
      if constexpr (order == Order::scan_then_add) {
        launch_then_add<Operator>(run, cut, method, in, out, kind, init);
      } else {
        launch<Operator>(run, cut, method, in, out, kind, init);
      }
      run.result(out);
    });
  });
}

}  // namespace agpusim::scan
