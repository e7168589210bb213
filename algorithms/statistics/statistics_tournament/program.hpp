#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "agpusim/algorithms/statistics/statistics_tournament/kernel.hpp"
#include "agpusim/algorithms/statistics/statistics_tournament/result.hpp"
#include "agpusim/model/run/host_program.hpp"

namespace agpusim::tournament {

/// The host program of mean and variance by two trees of sums, for any device.
template <class Device, class T>
class MeanVariance {
 public:
  /// Sums of i32 are exact in 64 bits; sums of f32 stay f32.
  using Sum = std::conditional_t<std::is_integral_v<T>, std::int64_t, T>;

  MeanVariance(Device& device, const RunConfig& config)
      : device_(device),
        config_(config),
        rounds_(rounds_of(config)),
        sums_(device, rounds_.padded, "data"),
        squares_(device, rounds_.padded, "data3") {
    sums_.upload(device, config);
    squares_.upload(device, config);
  }

  void run() {
    device_.launch(rounds_.tasks(rounds_.padded),
                   Squares{rounds_.padded, rounds_.per_task, static_cast<float>(config_.n)},
                   squares_.data);
    for (std::int64_t round = 0; round < rounds_.count(); ++round) {
      add(sums_, round);
      add(squares_, round);
    }
  }

  /// Mean and variance by formula 2.2.2b, in double. The difference cancels: the variance has
  /// lost all digits, and may be negative, where mean²/variance nears 2^24.
  [[nodiscard]] Summary<T> summary() {
    Summary<T> result;
    result.n = config_.n;
    result.mean = total(sums_) / static_cast<double>(config_.n);
    result.variance = total(squares_) - result.mean * result.mean;
    return result;
  }
  [[nodiscard]] std::vector<NamedValue> values() { return moment_values(summary()); }
  [[nodiscard]] std::uint64_t checksum() {
    const auto exact = exact_moments<T>(config_);
    return summary_checksum(summary(), exact, tolerance(config_, exact));
  }

 private:
  /// The numbers of one tree, and the array that takes turns with theirs.
  template <class Element>
  struct Tree {
    using Array = typename Device::template Array<Element>;

    Tree(Device& device, std::int64_t size, const std::string& name)
        : data(device.template allocate<Element>(size, name)),
          other(device.template allocate<Element>(size, name + "_2")) {}

    /// The numbers of a run, followed by zeros.
    void upload(Device& device, const RunConfig& config) {
      device.template upload<Element>(data, [&] {
        std::vector<Element> elements(static_cast<std::size_t>(data.size()));
        const std::vector<T> numbers = numeric_input<T>(config);
        std::transform(numbers.begin(), numbers.end(), elements.begin(),
                       [](T number) { return static_cast<Element>(number); });
        return elements;
      });
    }

    Array data;
    Array other;
  };

  [[nodiscard]] bool copies() const { return config_.variant == "copy"; }

  template <class Element>
  void add(const Tree<Element>& tree, std::int64_t round) {
    if (copies()) {
      device_.launch(rounds_.tasks(rounds_.padded), Copy{rounds_.padded, rounds_.per_task},
                     tree.data, tree.other);
    }
    const bool back = copies() || round % 2 != 0;
    device_.launch(rounds_.tasks(rounds_.pairs()),
                   AddPairs<Element>{{rounds_.pairs(), rounds_.per_task}},
                   back ? tree.other : tree.data, back ? tree.data : tree.other);
  }

  template <class Element>
  [[nodiscard]] double total(const Tree<Element>& tree) {
    const bool moved = !copies() && rounds_.count() % 2 != 0;
    return static_cast<double>(device_.download(moved ? tree.other : tree.data).front());
  }

  Device& device_;
  RunConfig config_;
  Rounds rounds_;
  Tree<Sum> sums_;
  Tree<float> squares_;
};

}  // namespace agpusim::tournament

namespace agpusim::statistics_tournament {

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return tournament::with_number(config, [&]<class T>(T) {
    return host_program<tournament::MeanVariance<Device, T>>(device, config);
  });
}

}  // namespace agpusim::statistics_tournament
