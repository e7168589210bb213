#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "agpusim/validation/measure/calibrate.cuh"
#include "agpusim/validation/measure/environment.cuh"
#include "agpusim/validation/measure/link_measure.cuh"
#include "agpusim/validation/measure/probe.cuh"
#include "agpusim/validation/records/record.hpp"

namespace agpusim {
namespace {

constexpr std::size_t mebi = std::size_t{1} << 20;

/// The constants of a device file, each with its source.
class Constants {
 public:
  explicit Constants(const Environment& environment)
      : measured_(fmt::format("measured by agpusim calibrate on one {} (driver {}, CUDA {})",
                              environment.device, environment.driver, environment.cuda)) {}

  void measured(const std::string& name, double value, const char* unit,
                const std::string& method) {
    // Five digits are more than a repetition confirms.
    const double scale = std::pow(10.0, 4 - std::floor(std::log10(value)));
    add(name, std::round(value * scale) / scale, unit, measured_,
        fmt::format("{}; median of {}", method, probe_repeats));
  }
  void queried(const char* name, cudaDeviceAttr attribute, double divisor, const char* unit,
               const char* method) {
    int value = 0;
    AGPUSIM_CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, 0));
    queried(name, value / divisor, unit, method);
  }
  void queried(const char* name, double value, const char* unit, const char* method) {
    add(name, value, unit, "CUDA device query", method);
  }
  [[nodiscard]] const std::vector<Constant>& all() const { return constants_; }

 private:
  void add(const std::string& name, double value, const char* unit, const std::string& source,
           const std::string& method) {
    constants_.push_back({name, value, unit, source, method, date_});
  }

  std::string measured_;
  std::string date_ = utc_today();
  std::vector<Constant> constants_;
};

void measure_l2(Constants& constants, std::size_t reported_bytes) {
  constexpr std::size_t step = 4 * mebi;
  constexpr double near_full = 0.9;
  const double full = std::max(probe_resident_read(16 * mebi), probe_resident_read(24 * mebi));
  constants.measured(
      "l2_bandwidth", full, "GB/s",
      "16-byte reads past L1 of 16 and 24 MiB again and again, the better of the two");
  std::size_t resident = 24 * mebi;
  while (resident + step <= reported_bytes &&
         probe_resident_read(resident + step) >= near_full * full) {
    resident += step;
  }
  constants.measured(
      "l2_bytes", static_cast<double>(resident), "B",
      fmt::format("largest footprint, in steps of 4 MiB from 24 MiB, that is read at "
                  "90 % of l2_bandwidth or more; the device reports {} B",
                  reported_bytes));
}

/// Atomics slow down where they meet: on few words, then on few slices of the L2 cache; and where
/// the words do not fit into it.
void measure_atomics(Constants& constants) {
  for (const std::int64_t bytes : atomic_footprints) {
    constants.measured(fmt::format("atomic_rate_{}", bytes),
                       probe_atomic_rate(static_cast<std::size_t>(bytes)), "lane operations/ns",
                       fmt::format("32-bit atomic additions at random words of {} B", bytes));
  }
}

void measure_all(Constants& constants, const Environment& environment) {
  constants.queried("multiprocessors", cudaDevAttrMultiProcessorCount, 1, "1",
                    "cudaDevAttrMultiProcessorCount");
  constants.queried("warps_per_multiprocessor", cudaDevAttrMaxThreadsPerMultiProcessor, 32, "1",
                    "cudaDevAttrMaxThreadsPerMultiProcessor / 32");
  constants.queried("max_ctas", cudaDevAttrMaxBlocksPerMultiprocessor, 1, "1",
                    "cudaDevAttrMaxBlocksPerMultiprocessor");
  constants.queried("shared_bytes_per_multiprocessor", cudaDevAttrMaxSharedMemoryPerMultiprocessor,
                    1, "B", "cudaDevAttrMaxSharedMemoryPerMultiprocessor");
  constants.queried("shared_bytes_per_cta", cudaDevAttrMaxSharedMemoryPerBlockOptin, 1, "B",
                    "cudaDevAttrMaxSharedMemoryPerBlockOptin");
  constants.queried("reserved_shared_bytes_per_cta", cudaDevAttrReservedSharedMemoryPerBlock, 1,
                    "B", "cudaDevAttrReservedSharedMemoryPerBlock");
  constants.queried("registers_per_multiprocessor", cudaDevAttrMaxRegistersPerMultiprocessor, 1,
                    "1", "cudaDevAttrMaxRegistersPerMultiprocessor");
  constants.queried("memory_bytes", static_cast<double>(environment.memory_bytes), "B",
                    "totalGlobalMem of cudaGetDeviceProperties");
  constants.measured("clock", 1e3 * probe_clock(), "MHz",
                     "clock64 against globaltimer while integer instructions keep every "
                     "multiprocessor busy");
  constants.measured(
      "issue_rate", probe_issue_rate(), "warp instructions/ns",
      "FP32 multiply-add and integer instructions in turn, 4 independent chains in each "
      "of 64 warps per multiprocessor, whole device");
  constants.measured("int_rate", probe_int_rate(), "warp instructions/ns",
                     "32-bit add, xor, min and max, otherwise as issue_rate");
  constants.measured("shared_rate", probe_shared_rate(), "wavefronts/ns",
                     "conflict-free 32-bit loads, 64 warps per multiprocessor, whole device");
  constants.measured("block_read_rate", probe_block_read_rate(16 * mebi), "blocks/ns",
                     "32 lanes read words of 32 different 128-byte blocks in 16 MiB, past L1");
  constants.measured("block_write_rate", probe_block_write_rate(16 * mebi), "blocks/ns",
                     "32 lanes write words of 32 different 128-byte blocks in 16 MiB");
  constants.measured("warp_write_rate", probe_warp_write_rate(), "blocks/ns",
                     "lone warps transpose tiles of 32 rows: each reads the rows and writes the "
                     "columns one after another, 32 lanes a word of 32 rows, of 1 GiB");
  measure_atomics(constants);
  constants.measured("bandwidth_copy", probe_bandwidth_copy(), "GB/s",
                     "cudaMemcpyAsync of up to 4 GiB on the device, bytes read plus written");
  constants.measured("bandwidth_read", probe_bandwidth_read(), "GB/s",
                     "kernel that reads up to 4 GiB, 8 loads of 16 bytes in flight per thread");
  constants.measured("bandwidth_write", probe_bandwidth_write(), "GB/s",
                     "cudaMemsetAsync of up to 4 GiB");
  measure_l2(constants, static_cast<std::size_t>(environment.l2_bytes));
  const double l2_latency = probe_l2_latency();
  constants.measured(
      "launch", probe_launch() - 2e-3 * l2_latency, "us",
      "each of 400 further kernels in one stream whose threads fill the device, read "
      "a word that the kernel before wrote and write it; without the two ways to the "
      "L2 cache; enqueued ahead of the device");
  constants.measured("launch_latency", probe_launch_latency(), "us",
                     "from event to event around one empty kernel, enqueued ahead of the device");
  constants.measured("alu_latency", probe_alu_latency(), "cycles",
                     "dependent 32-bit integer instructions of a lone warp");
  constants.measured("memory_latency", probe_memory_latency(), "ns",
                     "dependent loads in a random walk over 1 GiB");
  constants.measured("l2_latency", l2_latency, "ns",
                     "dependent loads past L1 in a random walk over 4 MiB");
}

void measure_link_constants(Constants& constants) {
  for (const out_of_core::LinkConstant& constant : out_of_core::measure_link()) {
    constants.measured(constant.name, constant.value, constant.unit.c_str(), constant.method);
  }
}

}  // namespace

std::vector<Constant> calibrate_link_cuda() {
  Constants constants(cuda_environment());
  measure_link_constants(constants);
  return constants.all();
}

DeviceFile calibrate_cuda() {
  const Environment environment = cuda_environment();
  Constants constants(environment);
  measure_all(constants, environment);
  measure_link_constants(constants);
  DeviceFile device;
  device.name = environment.device;
  for (const Constant& constant : constants.all()) device.set(constant);
  return device;
}

}  // namespace agpusim
