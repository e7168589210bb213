#pragma once

#include <cstdint>
#include <optional>

#include "agpusim/model/agpu/spec.hpp"
#include "agpusim/model/transfer/link.hpp"
#include "agpusim/model/transfer/recorder.hpp"
#include "agpusim/validation/records/device_file.hpp"

// What a device file says about pipelines. The constants, besides those of DeviceFile:
//   link_in, link_out       GB/s of copies between pinned host memory and the device
//   link_pageable_in, _out  the same between pageable host memory and the device
//   link_both               GB/s of both directions at the same time, added
//   link_latency            us of a copy of no bytes
//   host_memory             GB/s of host memory, of cores and copies together
//   host_compact_rate       places/ns that the host makes 32 bits wide
// and of steps that take latency + n / rate (us and elements/ns):
//   cub_sort_*_8            a sort of keys of 8 bytes
//   cub_partition_*_16      an ordering by window of pairs of 16 bytes
//   scatter_*_8             a scatter of elements of 8 bytes
namespace agpusim::out_of_core {

/// A link as a user states it; what is absent is the device's.
struct LinkChoice {
  std::optional<double> in;       ///< GB/s
  std::optional<double> out;      ///< GB/s
  std::optional<double> both;     ///< GB/s, 0: the sum of the directions
  std::optional<double> latency;  ///< us
  std::optional<double> host;     ///< GB/s, 0: no limit
  std::optional<std::int32_t> copy_engines;
  bool pageable = false;  ///< the host's arrays lie in pageable memory
};

/// The link of a device. With `in` and `out` the device file is not asked: what else is absent is
/// then no limit, no latency and two copy engines. Throws FileError that names a missing constant
/// and what to do; UsageError for an impossible link.
[[nodiscard]] transfer::LinkSpec link_of(const DeviceFile& device, const LinkChoice& choice);

/// Seconds of a step: of a library's or a scatter the measured rate, where the device file has it,
/// else the prediction of its counts. Throws FileError when a constant of the prediction is
/// missing. The device must be there as long as the clock.
[[nodiscard]] KernelClock kernel_clock(const AgpuSpec& spec, const DeviceFile& device);

/// Bytes that a step reads and writes in device memory: its sectors, whether or not a cache has
/// them, or what the library moves that does it on the device.
[[nodiscard]] std::int64_t device_bytes(const KernelWork& work);

/// Places per second that the host makes 32 bits wide. Throws FileError as link_of does.
[[nodiscard]] double compact_rate(const DeviceFile& device);

}  // namespace agpusim::out_of_core
