#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/algorithms/common/checksum.hpp"
#include "agpusim/algorithms/common/numeric_input.hpp"
#include "agpusim/algorithms/statistics/minmax_tournament/kernel.hpp"
#include "agpusim/algorithms/statistics/minmax_tournament/rounds.hpp"
#include "agpusim/model/run/host_program.hpp"

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

/// The host program of the search for minimum and maximum, for any device.
template <class Device, class T>
class MinMax {
 public:
  MinMax(Device& device, const RunConfig& config)
      : device_(device),
        rounds_(rounds_of(config)),
        copies_(config.variant != "ping_pong"),
        selects_(config.variant != "copy"),
        data_(device.template allocate<T>(rounds_.padded, "data")),
        data2_(device.template allocate<T>(rounds_.padded, "data2")) {
    device_.template upload<T>(data_, [&] { return padded_numbers<T>(config); });
  }

  void run() {
    const Pairs pairs{rounds_.pairs(), rounds_.per_task};
    for (std::int64_t round = 0; round < rounds_.count(); ++round) {
      if (copies_) {
        device_.launch(rounds_.tasks(rounds_.padded), Copy{rounds_.padded, rounds_.per_task}, data_,
                       data2_);
      }
      const bool back = copies_ || round % 2 != 0;
      const auto& in = back ? data2_ : data_;
      const auto& out = back ? data_ : data2_;
      if (selects_) {
        device_.launch(rounds_.tasks(pairs.count), CompareSelect{pairs}, in, out);
      } else {
        device_.launch(rounds_.tasks(pairs.count), Compare{pairs}, in, out);
      }
    }
  }

  /// What the last round left: the maximum in front, the minimum at the end.
  [[nodiscard]] Extremes<T> extremes() {
    const bool moved = !copies_ && rounds_.count() % 2 != 0;
    const std::vector<T> data = device_.download(moved ? data2_ : data_);
    return {data.back(), data.front()};
  }
  [[nodiscard]] std::vector<NamedValue> values() { return values_of(extremes()); }
  [[nodiscard]] std::uint64_t checksum() { return extremes().checksum(); }

 private:
  using Array = typename Device::template Array<T>;

  Device& device_;
  Rounds rounds_;
  bool copies_;
  bool selects_;
  Array data_;
  Array data2_;
};

}  // namespace agpusim::tournament

namespace agpusim::minmax_tournament {

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return tournament::with_number(config, [&]<class T>(T) {
    return host_program<tournament::MinMax<Device, T>>(device, config);
  });
}

}  // namespace agpusim::minmax_tournament
