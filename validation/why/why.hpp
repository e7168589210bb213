#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agpusim/model/run/run.hpp"
#include "agpusim/validation/predict/predict.hpp"
#include "agpusim/validation/records/device_file.hpp"
#include "agpusim/validation/report/report.hpp"

/// Why a run takes the time that is predicted for it.
namespace agpusim::why {

/// What takes time: the launch of kernels or a term of the model.
struct Resource {
  std::string name;                   ///< launch, code, issue, shared, bandwidth, atomics, latency
  double alone_ms = 0;                ///< all phases, if nothing else had to be waited for
  double part_ms = 0;                 ///< its share of the predicted time
  double without_ms = 0;              ///< predicted time if it took none
  std::string limit_then = {};        ///< what takes most of that
  std::string counts = {};            ///< which counts it comes from: what to lower
  std::optional<double> needed = {};  ///< times so much of it would explain the measured time
};

/// The phases of one kernel.
struct Kernel {
  std::string name;
  std::int64_t launches = 0;
  std::int64_t tasks = 0;  ///< of its largest phase
  double resident = 0;     ///< tasks of it on a multiprocessor at once
  double ms = 0;           ///< without the launches
  std::string limit = {};
};

/// A timed run of this configuration.
struct Measured {
  double ms = 0;       ///< median
  std::string origin;  ///< "file:line" of the record
};

struct Explanation {
  RunConfig config;
  std::string device;
  std::string source;  ///< of the counts
  Prediction prediction;
  std::vector<Resource> resources;  ///< the largest part first
  std::vector<Kernel> kernels;      ///< the longest first
  std::optional<Measured> measured;
};

/// Throws UsageError that says why where predict_run predicts nothing; FileError when the device
/// file lacks a constant.
[[nodiscard]] Explanation explain(const RunConfig& config, const std::vector<PhaseReport>& phases,
                                  const DeviceFile& device, const std::string& source,
                                  std::optional<Measured> measured);

[[nodiscard]] report::Report to_report(const Explanation& explanation);

}  // namespace agpusim::why
