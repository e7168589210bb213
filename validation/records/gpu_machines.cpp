#include "agpusim/validation/records/gpu_machines.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace agpusim {

std::vector<Machine> gpu_machines(const DeviceFile& device, const std::string& name) {
  constexpr std::int32_t lanes = 32;  // lanes of a warp, which are as many as words of a block
  constexpr std::int32_t word_bytes = 4;
  constexpr std::int32_t block_width = 256;
  constexpr std::int64_t full_warps = 32;
  const auto count = [&](const char* constant) {
    return static_cast<std::int64_t>(device.value(constant));
  };
  const std::int64_t sms = count("multiprocessors");
  const std::int64_t schedulers = count("schedulers_per_multiprocessor");
  const std::int64_t warps = count("warps_per_multiprocessor");
  const std::int64_t shared_bytes = count("shared_bytes_per_cta");
  const std::int64_t blocks = std::max<std::int64_t>(warps * lanes / block_width, 1);
  const std::int64_t filling = std::min(warps, full_warps);
  const std::string of_sms = fmt::format("{} SMs", sms);
  const std::string kilobytes = fmt::format("M = {} KB", shared_bytes / 1024);
  // The shared memory of a CTA at most, divided among `tasks` tasks of a multiprocessor.
  const auto spec = [&](std::int64_t tasks, std::int32_t width) {
    AgpuSpec result;
    result.cores = sms * tasks * lanes;
    result.block_words = lanes;
    result.shared_words = shared_bytes / word_bytes / tasks;
    result.word_bits = 8 * word_bytes;
    result.width = width;
    return result;
  };
  return {{name,
           fmt::format("{}, a task per warp: {} x {} warp schedulers x {} lanes; {} / {}",
                       device.name, of_sms, schedulers, lanes, kilobytes, schedulers),
           spec(schedulers, lanes)},
          {name + "-wide",
           fmt::format("{}, a task per CTA of {} threads: {} x {} lanes; {}", device.name,
                       max_width, of_sms, lanes, kilobytes),
           spec(1, max_width)},
          {name + "-block",
           fmt::format("{}, a task per CTA of {} threads, {} of them per SM: {} x {} x {} lanes; "
                       "{} / {}",
                       device.name, block_width, blocks, of_sms, blocks, lanes, kilobytes, blocks),
           spec(blocks, block_width)},
          {name + "-full",
           fmt::format("{} filled with {} warps per SM, a task per warp: {} x {} x {} lanes; "
                       "{} / {}",
                       device.name, filling, of_sms, filling, lanes, kilobytes, filling),
           spec(filling, lanes)}};
}

}  // namespace agpusim
