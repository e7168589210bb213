#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "agpusim/model/agpu/spec.hpp"

namespace agpusim {

/// One measured or documented property of a device.
struct Constant {
  std::string name;
  double value = 0;
  std::string unit;
  std::string source;  ///< who measured or stated it
  std::string method;  ///< how; may be empty
  std::string date;    ///< ISO 8601
};

/// A machine with a name, for the command line and the measurement plan.
struct Machine {
  std::string name;
  std::string summary;  ///< where the numbers come from, one line
  AgpuSpec spec;        ///< p, b, M, w and V; rules are the defaults
};

/// Footprints in bytes for which a device file has the rate of atomic operations.
inline constexpr std::array<std::int64_t, 14> atomic_footprints = {
    4,       128,     1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18,
    1 << 20, 1 << 25, 1 << 26, 1 << 27, 1 << 28, 1 << 29, 1 << 30};

/// What the prediction knows of a device. The names that it asks for:
///   multiprocessors                  SMs
///   clock                            MHz under load
///   issue_rate                       warp instructions/ns of the whole device
///   int_rate                         integer warp instructions/ns of the whole device
///   shared_rate                      shared memory wavefronts/ns of the whole device
///   block_read_rate                  blocks/ns when the lanes of a request are in different blocks
///   block_write_rate                 the same of writes, of all warps of a task at once
///   warp_write_rate                  the same of warps that copy so, one request after the other,
///                                    more than the L2 cache holds
///   atomic_rate_<bytes>              lane operations/ns of atomic additions at random words of so
///                                    many bytes of memory, for each of atomic_footprints
///   bandwidth_copy, _read, _write    GB/s of device memory; a copy counts both directions
///   l2_bandwidth                     GB/s
///   l2_bytes                         footprint in bytes that the L2 cache serves at full bandwidth
///   launch                           us per launch of a sequence in one stream
///   launch_latency                   us from start to end of one trivial kernel
///   alu_latency                      cycles per dependent integer instruction of a lone warp
///   first_launch, second_launch,     us beside the work of the first, the second and each further
///   further_launch                   phase
///   cold_start                       us more where the first launch fills the device
///   prologue_instructions            scalar instructions of a warp that are not counted
///   prologue_cycles                  cycles until the next of them of a warp alone
///   line_latency                     cycles more for each doubling of a read's lines
///   overlap, overlap_growth          exponent with which the terms of a phase combine, and its
///                                    growth with the doublings of what is resident
///   left_out_mean, left_out_median   error of predicted times, each algorithm left out of the fit;
///                                    no prediction asks for them
///   memory_bytes                     that programs find
///   f64_cycles                       cycles of a scheduler for a warp's instruction on 64-bit
///                                    floating-point numbers; a file without has those of an H200
///   memory_latency                   ns of one dependent access to device memory
///   l2_latency                       ns of one dependent access to the L2 cache
///   shared_bytes_per_multiprocessor  bytes for all resident CTAs
///   warps_per_multiprocessor         resident warps at most
///   max_ctas                         resident CTAs of one multiprocessor at most
///   registers_per_multiprocessor     of 32 bits
///   registers_per_thread             at most
///   reserved_shared_bytes_per_cta    that the CUDA runtime keeps of each CTA
///   schedulers_per_multiprocessor    warps that issue at once
/// Those of pipelines of copies and kernels: pipeline/machine.hpp.
/// And counting_sort_<name>, by which a sort is chosen: algorithms/integer_sorts/counting_sort. The
/// last four of the list and memory_bytes are newer than other constants: these and
/// counting_sort_<name> of a file without them are the bundled NVIDIA H200's.
struct DeviceFile {
  std::string name;  ///< as the driver spells it, for example "NVIDIA H200"
  std::filesystem::path path;
  std::vector<Constant> constants;  ///< sorted by name
  std::vector<Machine> machines;    ///< views of the device; files of before they had some: none

  /// Whether the file has the constant.
  [[nodiscard]] bool has(std::string_view constant) const;
  /// In the constant's unit. Throws FileError when the file does not have it.
  [[nodiscard]] double value(std::string_view constant) const;
  /// In the place of the one of the same name, if there is one.
  void set(const Constant& constant);
};

/// Why the device's constants predict no time: a file from the facts of a paper has none of those
/// that a calibration measures. Empty: they do; one that is missing says so by itself.
[[nodiscard]] std::string why_not_measured(const DeviceFile& device);

/// What a reader must know of times on a device that nobody has calibrated: what its constants are
/// taken from. Empty: it was.
[[nodiscard]] std::string why_uncertain(const DeviceFile& device);

/// Whether a file without this constant gives the same value, as files of earlier versions do.
[[nodiscard]] bool is_default(const Constant& constant);

/// Throws IoError when the file cannot be read; FileError for invalid JSON, another schema, a
/// constant without value, unit, source or date, or a machine that cannot exist.
[[nodiscard]] DeviceFile load_device(const std::filesystem::path& path);

/// The device files of a folder, or that one file. Throws IoError when the folder cannot be read.
[[nodiscard]] std::vector<std::filesystem::path> device_files(const std::filesystem::path& folder);

/// The file of a folder that describes `device`, a device's name or its file's without ".json";
/// `folder` may also be that file itself. Throws IoError when the folder cannot be read; FileError
/// when no file or more than one describes the device.
[[nodiscard]] DeviceFile find_device(const std::filesystem::path& folder, std::string_view device);

/// The JSON text of a device file, one constant and machine per line in their order; what
/// load_device reads. Throws std::invalid_argument for a constant that load_device would reject.
[[nodiscard]] std::string device_file_text(const DeviceFile& device);

}  // namespace agpusim
