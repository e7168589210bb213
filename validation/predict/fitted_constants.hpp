#pragma once

#include <array>
#include <string>

#include "agpusim/validation/records/device_file.hpp"

namespace agpusim {

/// The constants that no probe measures: fitted to timings (agpusim validate).
struct FittedConstants {
  double first_launch = 0;     ///< us, beside the work of the first phase
  double second_launch = 0;    ///< us, beside the work of the second phase
  double further_launch = 0;   ///< us, beside the work of each phase after it
  double cold_start = 0;       ///< us more where the first launch fills the device
  double prologue_cycles = 0;  ///< cycles until the next scalar instruction, of a warp alone
  double line_latency = 0;     ///< cycles more for each doubling of a read's lines
  double overlap = 0;          ///< exponent p with which the terms of one warp combine
  double overlap_growth = 0;   ///< growth of p with the doublings of what is resident

  /// Reads the constants from a device file. Throws FileError when it lacks one.
  [[nodiscard]] static FittedConstants of(const DeviceFile& device);
};

/// A fitted constant: its name in device files, its unit, and what probes suggest for an H200, from
/// where a fit starts.
struct FittedConstant {
  double FittedConstants::*value;
  const char* name;
  const char* unit;
  double start;
};
inline constexpr std::array<FittedConstant, 8> fitted_constants = {{
    {&FittedConstants::first_launch, "first_launch", "us", 2.85},
    {&FittedConstants::second_launch, "second_launch", "us", 0.6},
    {&FittedConstants::further_launch, "further_launch", "us", 1.1},
    {&FittedConstants::cold_start, "cold_start", "us", 0.45},
    {&FittedConstants::prologue_cycles, "prologue_cycles", "cycles", 6},
    {&FittedConstants::line_latency, "line_latency", "cycles", 60},
    {&FittedConstants::overlap, "overlap", "1", 2},
    {&FittedConstants::overlap_growth, "overlap_growth", "1", 0.1},
}};

/// Gives a calibrated device, where it has none, the constants that no probe measures, each with
/// where it is from: launches as measured alone, what CUDA's guide says of all GPUs, the others as
/// an H200 has them, until timings of the device itself are fitted to.
void complete(DeviceFile& device);

/// The name of the device to whose timings the constants were fitted; empty: it is not known.
[[nodiscard]] std::string fitted_to(const DeviceFile& device);

/// Mean and median error of the predicted times, each algorithm left out of the fit.
struct LeftOutErrors {
  double mean = 0;
  double median = 0;
};

/// Takes over constants that were fitted to timings of the device, and the prologue that its
/// profiled kernels have (0: none was profiled), dated today, with the errors of that fit.
void set_fitted(DeviceFile& device, const FittedConstants& fitted, const LeftOutErrors& errors,
                double prologue_instructions);

}  // namespace agpusim
