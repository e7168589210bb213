#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "agpusim/algorithms/own_program.hpp"
#include "agpusim/algorithms/statistics/statistics_tournament/kernel.hpp"
#include "agpusim/algorithms/statistics/statistics_tournament/result.hpp"

namespace agpusim::tournament {

/// The numbers of a tree of sums, followed by zeros.
template <class Element, class Device, class T>
[[nodiscard]] auto tree_of(OwnRun<Device, T>& run, const RunConfig& config,
                           const std::string& name) {
  const std::int64_t padded = rounds_of(config).padded;
  const auto data = run.upload(padded, name, [&] {
    std::vector<Element> elements(static_cast<std::size_t>(padded));
    const std::vector<T> numbers = numeric_input<T>(config);
    std::transform(numbers.begin(), numbers.end(), elements.begin(),
                   [](T number) { return static_cast<Element>(number); });
    return elements;
  });
  return PingPong{data, run.template array<Element>(padded, name + "_2")};
}

/// Launches two trees of sums and returns a function that returns mean and variance by formula
/// 2.2.2b, in double. The difference cancels: the variance has lost all digits, and may be
/// negative, where mean²/variance nears 2^24.
template <class Device, class T>
[[nodiscard]] auto find_moments(OwnRun<Device, T>& run, const RunConfig& config) {
  // Sums of i32 are exact in 64 bits; sums of f32 stay f32.
  using Sum = std::conditional_t<std::is_integral_v<T>, std::int64_t, T>;
  const Rounds rounds = rounds_of(config);
  auto sums = tree_of<Sum>(run, config, "data");
  auto squares = tree_of<float>(run, config, "data3");
  const auto add = [&]<class Element>(auto& tree, Element) {
    if (config.variant == "copy") {
      run.launch(rounds.tasks(rounds.padded), Copy{rounds.padded, rounds.per_task}, tree.in,
                 tree.out);
      tree.next();
    }
    run.launch(rounds.tasks(rounds.pairs()), AddPairs<Element>{{rounds.pairs(), rounds.per_task}},
               tree.in, tree.out);
    tree.next();
  };
  run.launch(rounds.tasks(rounds.padded),
             Squares{rounds.padded, rounds.per_task, static_cast<float>(config.n)}, squares.in);
  for (std::int64_t round = 0; round < rounds.count(); ++round) {
    add(sums, Sum{});
    add(squares, float{});
  }
  return [&run, sums = sums.in, squares = squares.in] {
    const auto total = [&](const auto& array) {
      return static_cast<double>(run.download(array).front());
    };
    Summary<T> result;
    result.n = run.n();
    result.mean = total(sums) / static_cast<double>(run.n());
    result.variance = total(squares) - result.mean * result.mean;
    return result;
  };
}

}  // namespace agpusim::tournament

namespace agpusim::statistics_tournament {

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return own_program<Device, float, std::int32_t>(
      device, config, [&]<class T>(OwnRun<Device, T>& run) {
        const auto summary = tournament::find_moments(run, config);
        run.result([config, summary] {
          const auto exact = tournament::exact_moments<T>(config);
          return summary_checksum(summary(), exact, tournament::tolerance(config, exact));
        });
        run.values([summary] { return moment_values(summary()); });
      });
}

}  // namespace agpusim::statistics_tournament
