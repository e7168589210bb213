#pragma once

#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "agpusim/algorithms/common/element_type.hpp"
#include "agpusim/algorithms/common/operators.hpp"
#include "agpusim/algorithms/own_program.hpp"
#include "agpusim/algorithms/scan/program.hpp"
#include "agpusim/algorithms/segmented/kernel.hpp"

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
    return own_program<Device, typename Operator::value_type>(device, config, [&](auto& run) {
      const Cut cut = scan::cut_of_run(config);
      const auto method = scan::method_of_run<scan::LaneSerial>(config);
      const auto values = run.input("values");
      const auto heads = run.upload(config.n, "heads", [&] { return heads_of(config); });
      const auto folds = run.array(cut.most_tasks(), "folds");
      const auto counts = run.template array<std::uint32_t>(cut.most_tasks(), "counts");
      const auto out = run.array(config.n, "out");
      run.result([&run, config, out] {
        auto elements = run.download(out);
        if constexpr (result == Result::folds) {
          const std::vector<std::uint32_t> begun = heads_of(config);
          elements.resize(std::accumulate(begun.begin(), begun.end(), std::size_t{0}));
        }
        return elements;
      });
      if (config.n == 0) return;
      const std::int64_t tasks = cut.host().tasks;
      run.launch(tasks, FoldPieces<Operator>{cut, method}, values, heads, folds, counts);
      const ScanPieces<Operator> scan_pieces{tasks, method};
      if constexpr (result == Result::prefixes) {
        run.launch(1, scan_pieces, folds, counts);
        run.launch(tasks, ScanWithin<Operator>{cut, method}, values, heads, folds, counts, out);
      } else {
        run.launch(1, scan_pieces, folds, counts, out);
        run.launch(tasks, FoldEnded<Operator>{cut, method}, values, heads, folds, counts, out);
      }
    });
  });
}

}  // namespace agpusim::segmented

namespace agpusim::segmented_scan {

template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return segmented::program_for<segmented::Result::prefixes>(device, config);
}

}  // namespace agpusim::segmented_scan

namespace agpusim::segmented_reduce {

template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return segmented::program_for<segmented::Result::folds>(device, config);
}

}  // namespace agpusim::segmented_reduce
