#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "agpusim/algorithms/integer_sorts/radix_sort/kernel.hpp"
#include "agpusim/algorithms/integer_sorts/radix_sort/pairs.hpp"
#include "agpusim/algorithms/own_program.hpp"

namespace agpusim::radix_sort {

/// Launches a stable sort of n pairs by each digit of the keys, from the lowest to the highest. No
/// later digit has more bits than the first.
template <class Value, class Run, class Keys, class Values>
void launch(Run& run, const std::vector<Digit>& digits, const Cut& cut, const Keys& keys,
            const Values& values, const Keys& sorted_keys, const Values& sorted_values) {
  const std::int64_t tasks = cut.host().tasks;
  const std::int64_t others = digits.size() > 1 ? cut.host().n : 0;
  const auto width = static_cast<std::int32_t>(cut.how().width);
  const std::int32_t warps = width / run.spec().block_words;
  const auto counts = run.template array<std::int32_t>(digits[0].values() * tasks, "counts");
  const auto totals = run.template array<std::int32_t>(digits[0].values(), "totals");
  const std::pair other{run.template array<std::uint32_t>(others, "other keys"),
                        run.template array<Value>(others, "other values")};
  if (cut.host().n == 0) return;
  const std::pair result{sorted_keys, sorted_values};
  std::pair from{keys, values};
  for (std::size_t pass = 0; pass < digits.size(); ++pass) {
    const Digit& digit = digits[pass];
    const auto& to = (digits.size() - pass) % 2 == 1 ? result : other;
    run.launch(tasks, CountDigits{cut, digit}, from.first, counts);
    run.launch(digit.values(), ScanCounts{tasks, {width, scan_per_lane}}, counts, totals);
    run.launch(tasks, MovePairs<Value>{cut, digit, warps}, from.first, from.second, counts, totals,
               to.first, to.second);
    from = to;
  }
}

/// The program of a run on `device`.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return with_value(config, [&]<class Value>(Value) {
    return own_program<Device, Value>(device, config, [&](auto& run) {
      const auto keys = run.upload(config.n, "keys", [&] {
        const std::vector<std::int32_t> signed_keys = keys_of(config);  // their bits
        return std::vector<std::uint32_t>(signed_keys.begin(), signed_keys.end());
      });
      const auto values =
          run.upload(config.n, "values", [&] { return values_of<Value>(config.n); });
      const auto sorted_keys = run.template array<std::uint32_t>(config.n, "sorted keys");
      const auto sorted_values = run.array(config.n, "sorted values");
      launch<Value>(run, digits_of(config), cut_of(config), keys, values, sorted_keys,
                    sorted_values);
      run.result([&run, sorted_keys, sorted_values] {
        return checksum_of<Value>(run.download(sorted_keys), run.download(sorted_values));
      });
    });
  });
}

}  // namespace agpusim::radix_sort
