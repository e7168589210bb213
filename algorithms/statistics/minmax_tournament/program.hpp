#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "agpusim/algorithms/own_program.hpp"
#include "agpusim/algorithms/statistics/minmax_tournament/kernel.hpp"
#include "agpusim/algorithms/statistics/minmax_tournament/rounds.hpp"

namespace agpusim::tournament {

/// The numbers of a run, an odd number of them followed by a copy of the last.
template <class T>
std::vector<T> padded_numbers(const RunConfig& config) {
  std::vector<T> numbers = numeric_input<T>(config);
  if (numbers.size() % 2 != 0) numbers.push_back(numbers.back());
  return numbers;
}

template <class T>
struct Extremes {
  T min;
  T max;

  /// Checksum of the values: 0 and -0 are one number, of which either may win.
  [[nodiscard]] std::uint64_t checksum() const {
    const auto value = [](T x) { return x == 0 ? T{0} : x; };
    return agpusim::checksum<T>(std::vector<T>{value(min), value(max)});
  }
};

/// Minimum and maximum for a reader.
template <class T>
[[nodiscard]] std::vector<NamedValue> values_of(const Extremes<T>& extremes);

/// Launches the rounds and returns a function that returns what they found: the maximum in front,
/// the minimum at the end.
template <class Device, class T>
[[nodiscard]] auto find_extremes(OwnRun<Device, T>& run, const RunConfig& config) {
  const Rounds rounds = rounds_of(config);
  const std::int64_t padded = rounds.padded;
  const Pairs pairs{rounds.pairs(), rounds.per_task};
  const bool copies = config.variant != "ping_pong";
  PingPong data{run.upload(padded, "data", [&] { return padded_numbers<T>(config); }),
                run.array(padded, "data2")};
  for (std::int64_t round = 0; round < rounds.count(); ++round) {
    if (copies) {
      run.launch(rounds.tasks(padded), Copy{padded, rounds.per_task}, data.in, data.out);
      data.next();
    }
    if (config.variant != "copy") {
      run.launch(rounds.tasks(pairs.count), CompareSelect{pairs}, data.in, data.out);
    } else {
      run.launch(rounds.tasks(pairs.count), Compare{pairs}, data.in, data.out);
    }
    data.next();
  }
  return [&run, last = data.in] {
    const std::vector<T> numbers = run.download(last);
    return Extremes<T>{numbers.back(), numbers.front()};
  };
}

}  // namespace agpusim::tournament

namespace agpusim::minmax_tournament {

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return own_program<Device, float, std::int32_t>(device, config, [&](auto& run) {
    const auto extremes = tournament::find_extremes(run, config);
    run.result([extremes] { return extremes().checksum(); });
    run.values([extremes] { return tournament::values_of(extremes()); });
  });
}

}  // namespace agpusim::minmax_tournament
