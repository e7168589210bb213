#pragma once

#include <cstdint>
#include <vector>

#include "agpusim/model/agpu/spec.hpp"
#include "agpusim/model/loop.hpp"

namespace agpusim::test {

/// Uses every word of the kernel vocabulary; the result does not depend on the order of lanes and
/// tasks.
struct Vocabulary {
  static constexpr const char* name = "vocabulary";
  static constexpr std::int32_t bins = 8;

  std::int32_t width;

  [[nodiscard]] std::int64_t shared_bytes() const { return (std::int64_t{width} + bins) * 4; }

  template <class Mp, class In, class Out, class Totals>
  AGPUSIM_FN void operator()(Mp& mp, In in, Out out, Totals totals) const {
    const std::int64_t first = mp.task() * mp.width();
    const auto lane = mp.lane();
    const auto row = mp.template shared<std::uint32_t>(width, "row");
    const auto histogram = mp.template shared<std::uint32_t>(bins, "histogram");
    auto x = in.from(first).read(lane);
    row.write(lane, x);
    mp.when(lane < bins, [&] { histogram.write(lane, mp.varying(0U)); });
    mp.sync();
    x = x + row.read((width - 1) - lane);
    histogram.atomic_add(cast<std::int32_t>(x % static_cast<std::uint32_t>(bins)), mp.varying(1U));
    mp.when((lane & 1) == 0, [&] { x = x * 3U; }, [&] { x = x ^ 0xffU; });
    auto steps = mp.varying(std::int32_t{0});
    auto rest = x & 0xffU;
    mp.while_any([&] { return rest > 0U; },
                 [&] {
                   rest = rest >> 1;
                   steps = steps + 1;
                 });
    mp.sync();
    mp.when(lane < bins && lane >= 0, [&] { x = x + histogram.read(lane); });
    x = max(min(x, mp.varying(0xf0000000U)), cast<std::uint32_t>(steps));
    x = select(lane == 3, mp.varying(static_cast<std::uint32_t>(mp.uniform(mp.varying(7)))), x);
    out.from(first).write(lane, x);
    const auto slot = lane % 2;
    totals.atomic_add(slot, cast<std::uint64_t>(x));
    totals.from(2).atomic_max(slot, cast<std::uint64_t>(x));
    totals.from(4).atomic_min(slot, cast<std::uint64_t>(x));
  }
};

/// What Vocabulary leaves in `out` and `totals`.
struct VocabularyResult {
  std::vector<std::uint32_t> out;
  std::vector<std::uint64_t> totals;
};

/// Runs Vocabulary on a device for 40 tasks of `width` lanes.
template <class Device>
VocabularyResult run_vocabulary(Device& device, std::int32_t width) {
  constexpr std::int64_t tasks = 40;
  const auto n = static_cast<std::size_t>(tasks * width);
  std::vector<std::uint32_t> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<std::uint32_t>(i * 2654435761U);
  auto in = device.template allocate<std::uint32_t>(tasks * width, "in");
  auto out = device.template allocate<std::uint32_t>(tasks * width, "out");
  auto totals = device.template allocate<std::uint64_t>(6, "totals");
  device.template upload<std::uint32_t>(in, values);
  device.template upload<std::uint64_t>(
      totals, std::vector<std::uint64_t>{0, 0, 0, 0, ~std::uint64_t{0}, ~std::uint64_t{0}});
  device.launch(tasks, Vocabulary{width}, in, out, totals);
  return {device.download(out), device.download(totals)};
}

/// The result on the abstract machine.
[[nodiscard]] VocabularyResult simulated_vocabulary(const AgpuSpec& spec);

}  // namespace agpusim::test
