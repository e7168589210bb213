#include "agpusim/commands/pipeline/machine.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "agpusim/model/error.hpp"
#include "agpusim/validation/predict/predict.hpp"

namespace agpusim::out_of_core {
namespace {

constexpr double giga = 1e9;
constexpr double micro = 1e-6;

const Constant* find(const DeviceFile& device, std::string_view name) {
  const auto it = std::find_if(device.constants.begin(), device.constants.end(),
                               [&](const Constant& constant) { return constant.name == name; });
  return it == device.constants.end() ? nullptr : &*it;
}

double required(const DeviceFile& device, std::string_view name, std::string_view remedy) {
  if (const Constant* const constant = find(device, name)) return constant->value;
  throw FileError(
      fmt::format("{}: the constant '{}' is missing; measure it on the device with `agpusim "
                  "calibrate`, or {}",
                  device.path.string(), name, remedy));
}

/// The step of a program that is measured as a whole.
struct MeasuredStep {
  std::string_view step;
  std::string_view rate;          ///< elements/ns
  std::string_view latency;       ///< us
  double times = 1;               ///< so often what was measured
  std::int64_t device_bytes = 0;  ///< per element, as cub_steps.cuh does it; 0: as is counted
};

/// CUB's radix sort per element: the digits are counted in one pass over the keys, then every pass
/// takes 8 bits. In an even number of passes the keys end where they were, and are copied.
constexpr std::int64_t radix_sort_bytes(std::int64_t key, std::int64_t value) {
  return key + key * 2 * (key + value);
}
constexpr std::int64_t of_sort = radix_sort_bytes(8, 0) + 2 * 8;
// Heads to flags, flags to numbers, a sort by key, a sort by number.
constexpr std::int64_t of_segmented_sort =
    4 * 4 + radix_sort_bytes(8, 4) + radix_sort_bytes(4, 8) + 2 * 8;
// Places are read twice to be counted, then pairs move once.
constexpr std::int64_t of_partition = 2 * 8 + 2 * (8 + 8);

constexpr std::array<MeasuredStep, 4> measured_steps{
    {{"sort", "cub_sort_rate_8", "cub_sort_latency_8", 1, of_sort},
     {"segmented_sort", "cub_sort_rate_8", "cub_sort_latency_8", 2, of_segmented_sort},
     {"partition", "cub_partition_rate_16", "cub_partition_latency_16", 1, of_partition},
     {"scatter", "scatter_rate_8", "scatter_latency_8"}}};

}  // namespace

std::int64_t device_bytes(const KernelWork& work) {
  constexpr std::int64_t sector_bytes = 32;
  for (const MeasuredStep& measured : measured_steps) {
    if (measured.step == work.step && measured.device_bytes > 0) {
      return work.elements * measured.device_bytes;
    }
  }
  std::int64_t sectors = 0;
  for (const PhaseReport& phase : work.phases) sectors += phase.counts.sectors();
  return sector_bytes * sectors;
}

transfer::LinkSpec link_of(const DeviceFile& device, const LinkChoice& choice) {
  const bool own = choice.in && choice.out;
  const auto value = [&](const std::optional<double>& chosen, const char* constant,
                         const char* option, double otherwise) {
    if (chosen) return *chosen;
    if (own) return otherwise;
    return required(
        device, constant,
        fmt::format("give the link by --in-gbps and --out-gbps, or this by {}", option));
  };
  const double latency = value(choice.latency, "link_latency", "--latency-us", 0) * micro;
  transfer::LinkSpec link;
  link.in = {latency, giga * value(choice.in, choice.pageable ? "link_pageable_in" : "link_in",
                                   "--in-gbps", 0)};
  link.out = {latency, giga * value(choice.out, choice.pageable ? "link_pageable_out" : "link_out",
                                    "--out-gbps", 0)};
  link.both = giga * value(choice.both, "link_both", "--both-gbps", 0);
  link.host = giga * value(choice.host, "host_memory", "--host-gbps", 0);
  link.copy_engines = choice.copy_engines.value_or(2);
  validate(link);
  return link;
}

KernelClock kernel_clock(const AgpuSpec& spec, const DeviceFile& device) {
  return [spec, &device](const KernelWork& work) -> double {
    for (const MeasuredStep& measured : measured_steps) {
      if (measured.step != work.step) continue;
      if (const Constant* const rate = find(device, measured.rate)) {
        const Constant* const latency = find(device, measured.latency);
        const double once = (latency == nullptr ? 0 : latency->value * micro) +
                            static_cast<double>(work.elements) / (rate->value * giga);
        return measured.times * once;
      }
    }
    if (work.phases.empty()) return 0;
    return predict(spec, work.phases, device).milliseconds * 1e-3;
  };
}

double compact_rate(const DeviceFile& device) {
  return giga * required(device, "host_compact_rate", "choose another scheme");
}

}  // namespace agpusim::out_of_core
