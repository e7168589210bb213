#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "agpusim/algorithms/integer_sorts/radix_sort/kernel.hpp"
#include "agpusim/algorithms/integer_sorts/radix_sort/pairs.hpp"
#include "agpusim/model/run/host_program.hpp"

namespace agpusim::radix_sort {

/// A stable sort of n pairs by each digit of the keys, from the lowest to the highest.
template <class Device, class Value>
class Sort {
 public:
  using Keys = typename Device::template Array<std::uint32_t>;
  using Values = typename Device::template Array<Value>;

  /// No later digit has more bits than the first.
  Sort(Device& device, std::vector<Digit> digits, const Cut& cut)
      : device_(device),
        digits_(std::move(digits)),
        cut_(cut),
        counts_(device.template allocate<std::int32_t>(digits_[0].values() * cut.host().tasks,
                                                       "counts")),
        totals_(device.template allocate<std::int32_t>(digits_[0].values(), "totals")) {
    if (digits_.size() == 1) return;
    const std::int64_t n = cut.host().n;
    others_.push_back({device.template allocate<std::uint32_t>(n, "other keys"),
                       device.template allocate<Value>(n, "other values")});
  }

  void operator()(const Keys& keys, const Values& values, const Keys& sorted_keys,
                  const Values& sorted_values) {
    if (cut_.host().n == 0) return;
    const Pairs result{sorted_keys, sorted_values};
    Pairs from{keys, values};
    for (std::size_t pass = 0; pass < digits_.size(); ++pass) {
      const bool last = (digits_.size() - pass) % 2 == 1;  // or an even number before it
      const Pairs& to = last ? result : others_[0];
      sort(digits_[pass], from, to);
      from = to;
    }
  }

 private:
  using Counts = typename Device::template Array<std::int32_t>;
  struct Pairs {
    Keys keys;
    Values values;
  };

  void sort(const Digit& digit, const Pairs& from, const Pairs& to) {
    const std::int64_t tasks = cut_.host().tasks;
    const auto width = static_cast<std::int32_t>(cut_.how().width);
    const std::int32_t warps = width / device_.spec().block_words;
    device_.launch(tasks, CountDigits{cut_, digit}, from.keys, counts_);
    device_.launch(digit.values(), ScanCounts{tasks, {width, scan_per_lane}}, counts_, totals_);
    device_.launch(tasks, MovePairs<Value>{cut_, digit, warps}, from.keys, from.values, counts_,
                   totals_, to.keys, to.values);
  }

  Device& device_;
  std::vector<Digit> digits_;
  Cut cut_;
  Counts counts_;
  Counts totals_;
  std::vector<Pairs> others_;  // one, or none where there is one digit
};

/// The host program of the algorithm `radix_sort`.
template <class Device, class Value>
class Program {
 public:
  Program(Device& device, const RunConfig& config)
      : device_(device),
        keys_(device.template allocate<std::uint32_t>(config.n, "keys")),
        values_(device.template allocate<Value>(config.n, "values")),
        sorted_keys_(device.template allocate<std::uint32_t>(config.n, "sorted keys")),
        sorted_values_(device.template allocate<Value>(config.n, "sorted values")),
        sort_(device, digits_of(config), cut_of(config)) {
    device_.template upload<std::uint32_t>(keys_, [&] {
      const std::vector<std::int32_t> keys = keys_of(config);  // their bits
      return std::vector<std::uint32_t>(keys.begin(), keys.end());
    });
    device_.template upload<Value>(values_, [&] { return values_of<Value>(config.n); });
  }

  void run() { sort_(keys_, values_, sorted_keys_, sorted_values_); }
  std::uint64_t checksum() {
    return checksum_of<Value>(device_.download(sorted_keys_), device_.download(sorted_values_));
  }

 private:
  using Sorts = Sort<Device, Value>;

  Device& device_;
  typename Sorts::Keys keys_;
  typename Sorts::Values values_;
  typename Sorts::Keys sorted_keys_;
  typename Sorts::Values sorted_values_;
  Sorts sort_;
};

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return with_value(config, [&]<class Value>(Value) {
    return host_program<Program<Device, Value>>(device, config);
  });
}

}  // namespace agpusim::radix_sort
