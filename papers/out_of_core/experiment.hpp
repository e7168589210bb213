#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/commands/pipeline/plan.hpp"
#include "agpusim/papers/common/plan.hpp"
#include "agpusim/papers/out_of_core/run_record.hpp"
#include "agpusim/validation/records/device_file.hpp"
#include "agpusim/validation/report/report.hpp"

// Seed 004 (Miura, Chang and Miyazaki: an i7-7800X and a GTX 1060 of 3 GB) repeated: its tasks, and
// those of its future work, as measured, beside what the transfer model predicts; what it printed,
// beside what the model makes of the bandwidths that it printed.
namespace agpusim::out_of_core {

/// One measured run beside its prediction, the makespan; there is none on the host.
struct ExperimentRow : contest::TimedRun {
  Run run;
  double floor = 0;  ///< seconds of the task: its bytes in, out and both over the link's bandwidths
  std::optional<double> host_one;  ///< seconds of one core of the host for the same input
  std::optional<double> host_all;  ///< seconds of all cores

  [[nodiscard]] double seconds() const { return measured->ms / 1e3; }
  [[nodiscard]] std::optional<double> error() const {
    if (!predicted_ms) return std::nullopt;
    return *predicted_ms / measured->ms - 1;
  }
};

/// Bytes per second over a makespan.
struct Traffic {
  double in = 0;      ///< over the link into the device
  double out = 0;     ///< over the link out of the device
  double device = 0;  ///< what kernels and copies read and write in device memory
  double host = 0;    ///< what copies and host steps read and write in host memory; the
                      ///< pinned pieces that pageable memory passes through are left out
};

/// `kernel_bytes`: of device memory.
[[nodiscard]] Traffic traffic_of(const transfer::Pipeline& pipeline, double makespan,
                                 std::int64_t kernel_bytes);

/// One run's operations, as predicted and as they were.
struct MeasuredTimeline {
  Run run;
  transfer::Pipeline planned;
  transfer::Schedule predicted;
  transfer::Pipeline ran;  ///< without what operations waited for
  transfer::Schedule measured;
  Traffic traffic_predicted;
  Traffic traffic_measured;
};

/// Passes over the input: GB/s of host memory while the device read and wrote (table 5).
struct SeedPass {
  double read = 0;              ///< 0: they read nothing of the input's size
  double write = 0;             ///< 0: they write nothing of the input's size
  int repeats = 1;              ///< how many there are
  std::int64_t read_bytes = 8;  ///< bytes read of each element
};

/// A task of the paper: speed-up over one thread of its host, transfers included.
struct SeedTask {
  std::string task;
  std::string elements;          ///< the largest input, as printed
  double printed_low = 0;        ///< least speed-up
  double printed_high = 0;       ///< largest speed-up
  std::string remark;            ///< note on the printed speed-up
  double host_read = 0;          ///< GB/s of the loop on the host (table 4)
  std::vector<SeedPass> passes;  ///< empty: what the paper's program moves is not printed
  double host_bytes = 8;         ///< bytes of host memory that the loop reads for each element
};

[[nodiscard]] const std::vector<SeedTask>& seed_tasks();

/// Speed-ups by the transfer model.
struct SeedPrediction {
  double bound = 0;      ///< bytes over bandwidth alone
  double scheduled = 0;  ///< with filling and draining the pipeline: chunks of 2^24, 3 streams
  double by_read = 0;    ///< bytes over the read bandwidth alone
  double by_link = 0;  ///< bytes over the link's bandwidths (table 2): no run of the device is used
};

/// Speed-up for 10^10 elements of 8 bytes; nothing for a task without passes.
[[nodiscard]] std::optional<SeedPrediction> predict(const SeedTask& task);

/// What the experiment found.
struct Experiment {
  std::string generated;  ///< ISO 8601, UTC
  Environment environment;
  std::int32_t host_cores = 0;
  transfer::LinkSpec link;
  double device_memory = 0;  ///< bytes per second of a copy in device memory, both directions
  std::vector<ExperimentRow> rows;
  std::vector<MeasuredTimeline> timelines;
};

/// The runs of the plan, small inputs first, the runs of one input beside each other; chunks and
/// streams of the device's runs are left open (0).
[[nodiscard]] std::vector<Run> planned_runs(const contest::SizeChoice& sizes);

/// A run as a request for its plan; chunk 0: the model chooses.
[[nodiscard]] Request request_of(const Run& run, const DeviceFile& device);

/// Compares records with plans. Of several records of one run the one with the latest date counts.
/// Throws UsageError when there is no record or the records are of several devices; FileError when
/// the device file lacks a constant.
[[nodiscard]] Experiment compare_runs(const std::vector<RunRecord>& records,
                                      const DeviceFile& device);

/// The paper's machine, every run beside its predicted makespan, predicted and measured timelines.
[[nodiscard]] report::Report to_report(const Experiment& experiment);

}  // namespace agpusim::out_of_core
