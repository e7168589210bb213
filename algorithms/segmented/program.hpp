#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/inputs.hpp"
#include "agpusim/algorithms/common/operators.hpp"
#include "agpusim/algorithms/scan/program.hpp"
#include "agpusim/algorithms/segmented/kernel.hpp"
#include "agpusim/model/run/host_program.hpp"

namespace agpusim::segmented {

/// The head flags of a run: element 0, and others at random, one of `length` on average.
[[nodiscard]] inline std::vector<std::uint32_t> heads_of(const RunConfig& config) {
  const auto length = static_cast<std::uint64_t>(config.parameters.at("length"));
  std::vector<std::uint32_t> heads(static_cast<std::size_t>(config.n));
  for (std::size_t i = 0; i < heads.size(); ++i) {
    heads[i] = i == 0 || random_bits(config.seed, i) % length == 0 ? 1 : 0;
  }
  return heads;
}

/// What comes out of a segmented program.
enum class Result : std::uint8_t {
  prefixes,  ///< one of every element
  folds,     ///< one of every segment
};

/// The host program of the algorithms `segmented_scan` and `segmented_reduce`.
template <class Device, class Operator, Result result>
class Program {
 public:
  using T = typename Operator::value_type;

  Program(Device& device, const RunConfig& config)
      : device_(device),
        cut_(scan::cut_of_run(config)),
        method_(scan::method_of_run<scan::LaneSerial>(config)),
        values_(device.template allocate<T>(config.n, "values")),
        heads_(device.template allocate<std::uint32_t>(config.n, "heads")),
        folds_(device.template allocate<T>(cut_.most_tasks(), "folds")),
        counts_(device.template allocate<std::uint32_t>(cut_.most_tasks(), "counts")),
        out_(device.template allocate<T>(config.n, "out")) {
    device_.template upload<T>(values_,
                               [&] { return generate<T>(config.input, config.n, config.seed); });
    device_.template upload<std::uint32_t>(heads_, [&] {
      std::vector<std::uint32_t> heads = heads_of(config);
      for (const std::uint32_t head : heads) segments_ += head;
      return heads;
    });
  }

  void run() {
    if (cut_.host().n == 0) return;
    const std::int64_t tasks = cut_.host().tasks;
    device_.launch(tasks, FoldPieces<Operator>{cut_, method_}, values_, heads_, folds_, counts_);
    const ScanPieces<Operator> scan_pieces{tasks, method_};
    if constexpr (result == Result::prefixes) {
      device_.launch(1, scan_pieces, folds_, counts_);
      device_.launch(tasks, ScanWithin<Operator>{cut_, method_}, values_, heads_, folds_, counts_,
                     out_);
    } else {
      device_.launch(1, scan_pieces, folds_, counts_, out_);
      device_.launch(tasks, FoldEnded<Operator>{cut_, method_}, values_, heads_, folds_, counts_,
                     out_);
    }
  }
  std::uint64_t checksum() {
    std::vector<T> out = device_.download(out_);
    if constexpr (result == Result::folds) out.resize(static_cast<std::size_t>(segments_));
    return agpusim::checksum<T>(out);
  }

 private:
  Device& device_;
  Cut cut_;
  scan::LaneSerial method_;
  std::int64_t segments_ = 0;
  typename Device::template Array<T> values_;
  typename Device::template Array<std::uint32_t> heads_;
  typename Device::template Array<T> folds_;
  typename Device::template Array<std::uint32_t> counts_;
  typename Device::template Array<T> out_;
};

/// Calls `f.operator()<Operator>()` for the operator of a run.
template <class F>
auto with_operator(const RunConfig& config, F f) {
  return with_element_type(config.type, [&]<class T>(T) {
    return config.variant == "max" ? f.template operator()<operators::Max<T>>()
                                   : f.template operator()<operators::Sum<T>>();
  });
}

/// The program of a run on `device`.
template <Result result, class Device>
[[nodiscard]] std::unique_ptr<HostProgram> program_for(Device& device, const RunConfig& config) {
  return with_operator(config, [&]<class Operator>() {
    return host_program<Program<Device, Operator, result>>(device, config);
  });
}

}  // namespace agpusim::segmented
