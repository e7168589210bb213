#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "agpusim/model/agpu/report.hpp"
#include "agpusim/validation/predict/fitted_constants.hpp"
#include "agpusim/validation/records/device_file.hpp"

namespace agpusim {

/// The tasks of a slot of the busiest multiprocessor, one after the other.
struct TaskChain {
  Moments lone{};                    ///< time alone, summed over all tasks of the phase
  Moments longest{};                 ///< time alone of the longest task
  double tasks = 1;                  ///< tasks of the phase
  double turns = 1;                  ///< tasks of the slot
  double clock = 1;                  ///< cycles/ns
  double latency = 0;                ///< cycles of a read of one line
  double doublings = 0;              ///< log2 of the lines of a read
  double prologue = 0;               ///< scalar instructions of a warp before its work
  double least_prologue_cycles = 0;  ///< cycles of each, by what else the schedulers issue

  [[nodiscard]] double nanoseconds(const FittedConstants& fitted) const;
  friend bool operator==(const TaskChain&, const TaskChain&) = default;
};

/// What of a multiprocessor's time a phase asks for: nanoseconds on the busiest multiprocessor, if
/// nothing else had to be waited for.
struct PhaseTerms {
  double issue = 0;      ///< instructions, by schedulers and pipes
  double shared = 0;     ///< wavefronts of shared memory and blocks of global memory
  double bandwidth = 0;  ///< device memory or L2 cache, or accesses that spread over blocks
  double atomics = 0;
  double dispatch = 0;  ///< CTAs, which the device starts one after the other
  double latency = 0;   ///< tasks alone, one after the other in each resident slot
  double fill = 0;      ///< the part of `latency` that nothing overlaps: the first read
  double code = 0;      ///< instructions met for the first time, before they are fetched
  double tasks = 1;     ///< tasks of a multiprocessor at once
  double warps = 1;     ///< warps of these tasks
  double issuing = 1;   ///< warps that issue at once: one for each scheduler at most
  double filled = 1;    ///< part of the multiprocessors that have a CTA
  TaskChain chain;      ///< what `latency` is for other fitted constants
  double phases = 1;    ///< phases of a run with these terms

  friend bool operator==(const PhaseTerms&, const PhaseTerms&) = default;
};

/// What a time is predicted from; errors differ by it.
enum class PredictedFrom : std::uint8_t {
  bundled,   ///< counts of an algorithm of the bundled table, which the model was made with
  counts,    ///< counts of a kernel of one's own
  kernels,   ///< such a kernel as a compiler made it
  programs,  ///< a launch of somebody's program, alone: its caches are simulated
};

/// What a time is measured by.
enum class TimedBy : std::uint8_t {
  events,  ///< from an event before the launches to one behind them
  kernel,  ///< the duration of a kernel, as profilers show it
};

/// The time that the counts and the device constants predict.
struct Prediction {
  double milliseconds = 0;
  std::string limit;  ///< the part with most time
  /// Milliseconds by limit: launch, code, issue, shared, bandwidth, atomics, dispatch, latency;
  /// they add up to the total.
  std::map<std::string, double> parts;
  double low = 0;   ///< milliseconds that 95 % of runs like it take longer than; 0: not known
  double high = 0;  ///< milliseconds that 95 % of runs like it take less than

  friend bool operator==(const Prediction&, const Prediction&) = default;
};

/// Warps of one task of a phase on a GPU.
[[nodiscard]] double warps_of_task(const AgpuSpec& spec, const PhaseReport& phase);

/// Warps of all tasks of a phase.
[[nodiscard]] double warps_of(const AgpuSpec& spec, const PhaseReport& phase);

/// Registers that each warp of a phase takes of a multiprocessor's.
[[nodiscard]] double registers_of_warp(const PhaseReport& phase, const DeviceFile& device);

/// Warp instructions that the counts of a phase stand for, without the scalar prologue.
[[nodiscard]] double counted_instructions(const AgpuSpec& spec, const PhaseReport& phase);

/// The terms of every phase. Throws FileError when the device file lacks a constant.
[[nodiscard]] std::vector<PhaseTerms> terms_of(const AgpuSpec& spec,
                                               const std::vector<PhaseReport>& phases,
                                               const DeviceFile& device,
                                               const FittedConstants& fitted);

/// Phases with equal terms as one, at the place of the first: for predictions of one run by many
/// constants.
[[nodiscard]] std::vector<PhaseTerms> merged(const std::vector<PhaseTerms>& phases);

/// Terms whose latency is by other fitted constants, all else as it was.
[[nodiscard]] std::vector<PhaseTerms> refitted(std::vector<PhaseTerms> phases,
                                               const FittedConstants& fitted);

/// Each phase fetches its code, fills the multiprocessors with first reads, and takes the p-norm of
/// its other terms, p between 1 (one after the other) and infinity (all at once). What a warp
/// issues itself is in its lone time: beside that, it waits for the others. Launches do not
/// overlap.
[[nodiscard]] Prediction combine(const std::vector<PhaseTerms>& phases,
                                 const FittedConstants& fitted);

/// The constants of a device for times that are so measured. Throws FileError when one is missing.
[[nodiscard]] FittedConstants constants_for(const DeviceFile& device, TimedBy timed_by);

/// Both. Throws FileError when the device file lacks a constant; std::invalid_argument without
/// phases. Phases whose execution was not counted are predicted from their AGPU counts alone.
[[nodiscard]] Prediction predict(const AgpuSpec& spec, const std::vector<PhaseReport>& phases,
                                 const DeviceFile& device, TimedBy timed_by = TimedBy::events);

}  // namespace agpusim
