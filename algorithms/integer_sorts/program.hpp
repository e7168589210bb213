#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "agpusim/algorithms/integer_sorts/fused_hp_sort/kernel.hpp"
#include "agpusim/algorithms/integer_sorts/histogram/program.hpp"
#include "agpusim/algorithms/integer_sorts/integer_sort.hpp"
#include "agpusim/algorithms/integer_sorts/one_hp_sort/kernel.hpp"
#include "agpusim/algorithms/integer_sorts/zero_compressed_hp_sort/kernel.hpp"
#include "agpusim/algorithms/integer_sorts/zero_compressed_hp_sort/lemmas.hpp"
#include "agpusim/algorithms/own_program.hpp"
#include "agpusim/algorithms/scan/program.hpp"

// The programs of the sorts by histogram and prefix sums.
namespace agpusim {

/// One run of such a sort: its keys x and how its phases are cut.
template <class Run>
struct HistogramSort {
  using Array = typename Run::template Array<std::int32_t>;

  Run& run;
  const RunConfig& config;
  histogram::Bins keys = bins_of(config);
  Segmentation how = segmentation(config);
  Cut values{keys.range, how};  ///< cuts the values that keys may have
  Cut places{keys.keys, how};   ///< cuts the sorted keys
  Array x = run.upload(keys.keys, "x", [this] { return generate_keys(config); });

  void count_keys(const Array& counts) {
    histogram::launch(run, keys, histogram::place_of(config.variant), how, x, counts);
  }
  template <class Operator = operators::Sum<std::int32_t>, class... Length>
  void prefixes(const Cut& cut, const Array& in, const Array& out, std::int32_t init = 0,
                scan::Kind kind = scan::Kind::inclusive, const Length&... length) {
    scan::launch<Operator>(run, cut, scan::method_of_run<scan::LaneSerial>(config), in, out, kind,
                           init, length...);
  }
};

/// The program of a run that `sort`, a function of an OwnRun and a HistogramSort, describes.
/// Without keys it launches nothing.
template <class Device, class Sort>
[[nodiscard]] std::unique_ptr<HostProgram> histogram_sort(Device& device, const RunConfig& config,
                                                          const Sort& sort) {
  return own_program<Device, std::int32_t>(device, config, [&](OwnRun<Device, std::int32_t>& run) {
    HistogramSort<OwnRun<Device, std::int32_t>> keys{run, config};
    run.result(keys.x);
    if (config.n > 0) sort(run, keys);
  });
}

}  // namespace agpusim

namespace agpusim::hp_sort {

/// The H-P sort: the histogram A of the keys, its prefix sums Ap, their histogram B, and its prefix
/// sums, which are the sorted keys (Kozakai 2022, algorithm 2, with n+1 bins in B: theory 3.3).
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return histogram_sort(device, config, [](auto& run, auto& sort) {
    const histogram::Bins& keys = sort.keys;
    const auto a = run.array(keys.range, "A");
    const auto ap = run.array(keys.range, "Ap");
    const auto b = run.array(keys.keys + 1, "B");
    const auto y = run.array(keys.keys, "y");
    sort.count_keys(a);
    sort.prefixes(sort.values, a, ap);
    histogram::launch(run, {keys.range, 0, static_cast<std::int32_t>(keys.keys + 1)},
                      histogram::Place::global, sort.how, ap, b);
    sort.prefixes(sort.places, b, y, keys.min_key);
    run.result(y);
  });
}

}  // namespace agpusim::hp_sort

namespace agpusim::fused_hp_sort {

/// The H-P sort with its second half in one phase: the histogram of the keys, its prefix sums, and
/// the runs that they end, written at once.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return histogram_sort(device, config, [](auto& run, auto& sort) {
    const histogram::Bins& keys = sort.keys;
    const auto a = run.array(keys.range, "A");
    const auto ap = run.array(keys.range, "Ap");
    const auto y = run.array(keys.keys, "y");
    sort.count_keys(a);
    sort.prefixes(sort.values, a, ap);
    run.launch(sort.places.host().tasks, FillRuns{sort.places, keys.min_key, keys.range}, ap, y);
    run.result(y);
  });
}

}  // namespace agpusim::fused_hp_sort

namespace agpusim::one_hp_sort {

/// The 1-H-P sort of distinct keys: histogram, prefix sums, and every value to the place that the
/// prefix sums say (Kozakai 2022, algorithm 3; theory 3.4). Its result throws UsageError that names
/// a key that occurs more than once.
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return histogram_sort(device, config, [](auto& run, auto& sort) {
    // No key is repeated; v = key - min stays below it.
    constexpr std::int32_t nothing = std::numeric_limits<std::int32_t>::max();
    const histogram::Bins& keys = sort.keys;
    const auto a = run.array(keys.range, "A");
    const auto ap = run.array(keys.range, "Ap");
    const auto y = run.array(keys.keys, "y");
    const auto repeated = run.upload(1, "repeated", [] { return std::vector{nothing}; });
    sort.count_keys(a);
    sort.prefixes(sort.values, a, ap);
    if (run.variant() == "by_keys") {
      run.launch(sort.places.host().tasks, PlaceKeys{sort.places, keys.min_key}, sort.x, ap, y);
    } else {
      run.launch(sort.values.host().tasks, PlaceRunHeads<true>{sort.values, keys.min_key}, ap, y,
                 repeated);
    }
    run.result([&run, y, repeated, min_key = keys.min_key] {
      const std::int32_t value = run.download(repeated).front();
      if (value == nothing) return run.download(y);
      throw UsageError(fmt::format(
          "one_hp_sort sorts distinct keys, but key {} occurs more than once (it is the smallest "
          "such key); use hp_sort",
          min_key + value));
    });
  });
}

}  // namespace agpusim::one_hp_sort

namespace agpusim::zero_compressed_hp_sort {

/// The cut of the values that occur: at most min(n, R), exactly A01p[R-1].
inline Cut occurring_values(const histogram::Bins& keys, const Segmentation& how) {
  return {std::min<std::int64_t>(keys.keys, keys.range), how, keys.range - 1};
}

/// The 0-compressed H-P sort: only the values that occur pass through the second half, and no
/// second histogram is needed (Kozakai 2022, algorithm 5; theory 3.5).
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return histogram_sort(device, config, [](auto& run, auto& sort) {
    const histogram::Bins& keys = sort.keys;
    const Cut occurring = occurring_values(keys, sort.how);
    const auto a = run.array(keys.range, "A");
    const auto a01 = run.array(keys.range, "A01");
    const auto a01p = run.array(keys.range, "A01p");
    const auto c = run.array(occurring.host().n, "C");
    const auto ic = run.array(occurring.host().n, "iC");
    const auto cp = run.array(occurring.host().n, "Cp");
    const auto b = run.array(keys.keys, "B");
    const auto y = run.array(keys.keys, "y");
    sort.count_keys(a);
    run.launch(sort.values.host().tasks, Binarize{sort.values}, a, a01);
    sort.prefixes(sort.values, a01, a01p);
    run.launch(sort.values.host().tasks, Compress{sort.values, keys.min_key}, a, a01p, c, ic);
    sort.prefixes(occurring, c, cp, 0, scan::Kind::exclusive, a01p);
    run.launch(sort.places.host().tasks, Fill<std::int32_t>{sort.places, 0}, b);
    run.launch(occurring.most_tasks(), Expand{occurring}, cp, ic, b, a01p);
    sort.prefixes(sort.places, b, y);
    run.result(y);
    // The lemmas of the paper on the arrays of this run.
    run.values([&run, a, a01p, c, ic, cp, b, min_key = keys.min_key] {
      return check_lemmas({run.download(a), run.download(a01p), run.download(c), run.download(ic),
                           run.download(cp), run.download(b), min_key});
    });
  });
}

}  // namespace agpusim::zero_compressed_hp_sort

namespace agpusim::run_head_hp_sort {

/// Sorts with duplicates and one histogram: the first key of every run to its place, as in the
/// 1-H-P sort, then the largest value so far, by a max-scan (theory 3.4).
template <class Device>
[[nodiscard]] std::unique_ptr<HostProgram> make_program(Device& device, const RunConfig& config) {
  return histogram_sort(device, config, [](auto& run, auto& sort) {
    constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::lowest();
    const histogram::Bins& keys = sort.keys;
    const auto a = run.array(keys.range, "A");
    const auto ap = run.array(keys.range, "Ap");
    const auto heads = run.array(keys.keys, "heads");
    const auto y = run.array(keys.keys, "y");
    sort.count_keys(a);
    sort.prefixes(sort.values, a, ap);
    run.launch(sort.places.host().tasks, Fill<std::int32_t>{sort.places, lowest}, heads);
    run.launch(sort.values.host().tasks,
               one_hp_sort::PlaceRunHeads<false>{sort.values, keys.min_key}, ap, heads, heads);
    sort.template prefixes<operators::Max<std::int32_t>>(sort.places, heads, y, lowest);
    run.result(y);
  });
}

}  // namespace agpusim::run_head_hp_sort
